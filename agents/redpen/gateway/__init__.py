"""The deterministic gateway: contracts, policy gate and execution. A model proposes; this decides."""
