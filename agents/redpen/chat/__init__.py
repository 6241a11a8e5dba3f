"""The chat client: settings, one connection pool for each process, model calls, and failures as stops."""

from redpen.chat.budget import CallBudget, current_budget
from redpen.chat.client import Chat, ChatClient
from redpen.chat.settings import ChatSettings, read_settings

__all__ = ["CallBudget", "Chat", "ChatClient", "ChatSettings", "current_budget", "read_settings"]
