"""What the property tests of Redpen's own guards, gateway and client draw from: no part of the wheel."""
