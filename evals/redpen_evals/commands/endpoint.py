"""``redpen endpoint``: serve a scenario's scripted replies."""

from __future__ import annotations

import click

from redpen_evals.commands.groups import give_up
from redpen_evals.commands.workspace import Workspace
from redpen_evals.endpoint.server import run_endpoint
from redpen_evals.scenario_library.loading import load_case


@click.command()
@click.option(
    "--scenario", "scenario_id", metavar="ID", required=True, help="Scenario whose replies are served."
)
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="TCP port; 0 takes a free one.")
@click.option("--loop", is_flag=True, help="Start again when the replies are used up.")
@click.pass_obj
def endpoint(workspace: Workspace, scenario_id: str, host: str, port: int, loop: bool) -> None:
    """Serve a scenario's scripted replies to OpenAI and Anthropic clients, until Ctrl-C.

    The same script is served as chat completions, Responses and Anthropic Messages, streamed if requested.
    Prints the base URL on standard output. Any text works as a key.

    \b
    OpenAI clients      OPENAI_BASE_URL=http://127.0.0.1:PORT/v1   (the printed URL)
                        OPENAI_API_KEY=any
    Anthropic clients   ANTHROPIC_BASE_URL=http://127.0.0.1:PORT   (without /v1)
                        ANTHROPIC_API_KEY=any
    """
    case = load_case(workspace.layout, scenario_id)
    if not case.asks_model:
        give_up(f"{scenario_id}: calls no model, so there is nothing to serve")
    try:
        run_endpoint(case.scenario.replies, host=host, port=port, loop=loop, echo=click.echo)
    except OSError as error:
        give_up(f"cannot listen on {host}:{port}: {error.strerror or error}")
