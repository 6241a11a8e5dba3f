"""Model calls, parsed from recorded HTTP traffic."""
