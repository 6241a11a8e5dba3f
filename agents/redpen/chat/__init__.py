"""The chat client: settings, a connection pool for each process, model calls, and stops for failures."""

from redpen.chat.budget import CallBudget, current_budget
from redpen.chat.client import Chat, ChatClient
from redpen.chat.settings import ChatSettings, read_settings

__all__ = ["CallBudget", "Chat", "ChatClient", "ChatSettings", "current_budget", "read_settings"]
