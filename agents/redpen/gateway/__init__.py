"""The deterministic gateway: contracts, policy gate, execution. The model proposes, the gateway decides."""
