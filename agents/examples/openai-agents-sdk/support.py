"""An agent of the OpenAI Agents SDK that looks an order up before it answers.

It shows: an async function, a tool, and a trace upload that stays away while tests run.
"""

from pathlib import Path

from agents import Agent, RunContextWrapper, Runner, function_tool

PROMPT = (Path(__file__).parent / "prompts" / "support.md").read_text(encoding="utf-8")


@function_tool
def lookup_order(run: RunContextWrapper[dict], order_id: int) -> dict:
    """Return what the shop knows of an order.

    Args:
        order_id: number of the order.
    """
    orders = {order["id"]: order for order in run.context["orders"]}
    return orders.get(order_id, {"error": f"there is no order {order_id}"})


agent = Agent(name="support", instructions=PROMPT, model="gpt-4.1-mini", tools=[lookup_order])


async def answer(question: str, context: dict) -> str:
    """Return the answer to a customer's question."""
    result = await Runner.run(agent, question, context=context, max_turns=4)
    return result.final_output
