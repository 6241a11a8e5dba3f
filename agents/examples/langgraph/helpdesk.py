"""A graph of LangGraph: the model asks for a tool until it has what its answer needs.

It shows: a compiled graph is the agent itself behind a small function, and its tools read the context.
"""

from pathlib import Path

from langchain_core.messages import SystemMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition

PROMPT = (Path(__file__).parent / "prompts" / "helpdesk.md").read_text(encoding="utf-8")
LIMITS = {"free": {"seats": 3, "storage_gb": 5}, "team": {"seats": 25, "storage_gb": 200}}


@tool
def plan_limits(plan: str) -> dict:
    """Return the limits of a plan: seats, and storage in GB."""
    return LIMITS.get(plan, {"error": f"there is no plan {plan}"})


model = ChatOpenAI(model="gpt-4.1-mini", temperature=0).bind_tools([plan_limits])


def ask(state: MessagesState) -> dict:
    """Let the model say the next message."""
    return {"messages": [model.invoke([SystemMessage(PROMPT), *state["messages"]])]}


builder = StateGraph(MessagesState)
builder.add_node("ask", ask)
builder.add_node("tools", ToolNode([plan_limits]))
builder.add_edge(START, "ask")
builder.add_conditional_edges("ask", tools_condition)
builder.add_edge("tools", "ask")
graph = builder.compile()


def reply(messages: list[dict]) -> str:
    """Return what comes next in a conversation of role and content."""
    return graph.invoke({"messages": messages})["messages"][-1].text
