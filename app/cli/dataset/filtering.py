"""The options of WORD's filter, for judgements of a file and of a project alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from datasets.agreement.filtering import FilterSettings

AsWord = Annotated[bool, typer.Option("--filter", help="Leave out annotators and items as WORD does.")]
MinimumKappa = Annotated[float, typer.Option(help="With --filter: who has a smaller mean kappa is out.")]
MinimumJudgements = Annotated[
    int, typer.Option(help="With --filter: an item that is left with fewer is out.", min=1)
]
Others = Annotated[
    int, typer.Option(help="With --filter: who shares --overlap items with fewer others is out.", min=0)
]
Iterate = Annotated[bool, typer.Option("--iterate", help="With --filter: look again until nobody goes.")]


def filter_settings(
    asked: bool, minimum_kappa: float, minimum_judgements: int, others: int, iterate: bool, overlap: int
) -> FilterSettings | None:
    """What the options ask for; None where the filter is not asked for."""
    # Imported here, so that help is quick.
    from datasets.agreement.filtering import FilterSettings

    if not asked:
        return None
    return FilterSettings(
        minimum_kappa=minimum_kappa,
        common=overlap,
        others=others,
        judgements=minimum_judgements,
        overlap=overlap,
        iterated=iterate,
    )
