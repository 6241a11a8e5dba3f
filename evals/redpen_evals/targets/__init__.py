"""The targets of scenarios: built-in and user-defined agents, behind one interface."""
