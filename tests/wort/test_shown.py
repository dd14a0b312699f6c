"""Answers are short at a prompt and small tables in notebooks, and nobody's markup is taken for such."""

from __future__ import annotations

import numpy as np

from app.scoring.feature_table import FeatureTable
from wort.schemas.concepts import FoundConcept, NamedConcept, RelatedConcept, RelatedConcepts, SearchResponse
from wort.schemas.described import Interval, ModelInfo, SnapshotInfo
from wort.schemas.evidence import Percentiles
from wort.schemas.explanations import Contribution, Explanation
from wort.schemas.matrix import MatrixResponse
from wort.schemas.relatedness import PairResult
from wort.schemas.shown import MOST_COLUMNS, MOST_ROWS
from wort.schemas.sides import Resolved, Side
from wort.schemas.terms import ResolvedTerms, TermResult, TermSide, TermsResponse
from wort.schemas.texts import (
    AnnotateResponse,
    DocumentConcept,
    DocumentSide,
    DocumentsResponse,
    TextAnnotation,
)

SNAPSHOT = SnapshotInfo("s", "enwiki", "en", "2015-05-23", 3, "CC BY-SA", "somebody")
MODEL = ModelInfo("m", "s")
CAT, EVIL = Side("cat", "ok", "Cat", 1, "title"), Side("<b>", "unknown", None, None, None)


def _near(title: str, score: float) -> RelatedConcept:
    return RelatedConcept(title, 1, score, Percentiles(99.0, 90.0), Interval(score / 2, 1.0, 0.9))


def _related(*near: RelatedConcept) -> RelatedConcepts:
    return RelatedConcepts(NamedConcept("Cat", 1), list(near), 10, MODEL, SNAPSHOT)


def test_a_result_has_one_line() -> None:
    result = PairResult(score=None, status="unknown", resolved=Resolved(CAT, EVIL))
    assert repr([result, result]) == "[<PairResult Cat | <b>: unknown>, <PairResult Cat | <b>: unknown>]"


def test_a_result_without_a_score_says_what_to_ask() -> None:
    many = Side("Mercury", "ambiguous", None, None, None, candidates=("Planet", "Element", "Language", "Car"))
    typed = Side("Catt", "unknown", None, None, None, suggestions=("Cat",))
    result = PairResult(score=None, status="unknown", resolved=Resolved(many, typed))
    assert str(result) == (
        "Mercury | Catt: unknown; Mercury may be Planet, Element, Language and 1 more; Catt may be Cat"
    )


def test_terms_and_texts_have_a_line() -> None:
    sides = ResolvedTerms(TermSide("jazz", "ok"), TermSide("swing", "ok"))
    result = TermResult(0.5, "ok", sides, Interval(0.25, 1.0, 0.9))
    assert str(result) == "jazz | swing: 0.50, 0.25 to 1.00 (90%)"
    assert repr(TermsResponse([result], MODEL, SNAPSHOT)) == f"<TermsResponse {result}>"
    assert repr(TermResult(None, "unknown", sides)) == "<TermResult jazz | swing: unknown>"
    text = DocumentSide("ok", [DocumentConcept("Cat", 1, 1, 1.0)])
    none = DocumentSide("no-concepts", [])
    assert repr(DocumentsResponse(0.5, "ok", text, text, MODEL, SNAPSHOT)) == (
        "<DocumentsResponse Cat | Cat: 0.50>"
    )
    assert repr(DocumentsResponse(None, "no-concepts", text, none, MODEL, SNAPSHOT)) == (
        "<DocumentsResponse Cat | none: no-concepts>"
    )


def test_related_concepts_have_a_line_a_table_and_one_each() -> None:
    few = _related(_near("Dog", 0.9), _near("<i>", 0.125))
    assert repr(few) == "<RelatedConcepts of Cat: Dog 0.90, <i> 0.12>"
    assert str(few) == "0.90  Dog\n0.12  <i>"
    shown = few._repr_html_()
    assert "<tr><td>Dog</td><td>0.90</td><td>0.45 to 1.00 (90%)</td></tr>" in shown
    assert "<td>&lt;i&gt;</td>" in shown
    many = _related(*(_near(f"Concept {number}", 0.5) for number in range(MOST_ROWS + 5)))
    assert repr(many).endswith(f"and {MOST_ROWS + 2} more>")
    assert many._repr_html_().count("<tr>") == MOST_ROWS + 1
    assert f"{MOST_ROWS} of {MOST_ROWS + 5} shown" in many._repr_html_()
    assert repr(_related()) == "<RelatedConcepts of Cat: none>"


def test_a_matrix_is_a_table() -> None:
    square = MatrixResponse(
        concepts=[CAT, EVIL], scores=[[1.0, None], [None, None]], model=MODEL, snapshot=SNAPSHOT
    )
    assert repr(square) == "<MatrixResponse Cat, <b> | Cat, <b>: 2 by 2>"
    assert "<tr><td>Cat</td><td>1.00</td><td>–</td></tr>" in square._repr_html_()
    assert "<b>" not in square._repr_html_()
    assert str(square) == "1.00    –  Cat\n   –    –  <b>"
    wide = MatrixResponse(
        rows=[CAT], columns=[EVIL, CAT], scores=[[None, 1.0]], model=MODEL, snapshot=SNAPSHOT
    )
    assert repr(wide) == "<MatrixResponse Cat | <b>, Cat: 1 by 2>"
    side = MOST_COLUMNS + 2
    large = MatrixResponse(
        concepts=[CAT] * side, scores=[[1.0] * side] * side, model=MODEL, snapshot=SNAPSHOT
    )
    lines = str(large).splitlines()
    assert len(lines) == MOST_ROWS + 1
    assert lines[0].count("1.00") == MOST_COLUMNS
    assert lines[0].endswith(" …  Cat")
    assert lines[-1] == f"and {side - MOST_ROWS} more rows"
    assert large._repr_html_().count("<td>") == MOST_ROWS * (MOST_COLUMNS + 1)


def test_annotations_are_a_table() -> None:
    mention = TextAnnotation(2, 5, "cats", "Cat", 1, 0.5, 1.0, 0.5, 0.75)
    answer = AnnotateResponse([mention], SNAPSHOT)
    assert repr(answer) == "<AnnotateResponse cats: Cat>"
    assert "<tr><td>cats</td><td>Cat</td><td>0.75</td></tr>" in answer._repr_html_()


def test_concepts_that_are_found_have_a_name_each() -> None:
    found = [FoundConcept("Cat", 1, "prefix"), FoundConcept("Dog", 2, "alias", alias="hound")]
    assert repr(found) == "[<FoundConcept Cat>, <FoundConcept Dog (also hound)>]"
    assert repr(SearchResponse([*found, *found])) == "<SearchResponse Cat, Dog (also hound), Cat and 1 more>"


def test_sides_and_snapshots_have_a_line() -> None:
    many = Side("Mercury", "ambiguous", None, None, None, candidates=("Planet", "Element"))
    assert repr([CAT, EVIL, many]) == (
        "[<Side cat: Cat>, <Side <b>: unknown>, <Side Mercury: ambiguous; may be Planet, Element>]"
    )
    assert repr(Side("Cat", "ok", "Cat", 1, "title")) == "<Side Cat>"
    assert repr(Side(1, "ok", "Cat", 1, "page_id")) == "<Side 1: Cat>"
    assert repr(Side("screen time", "ok", None, None, "text")) == "<Side screen time>"
    assert repr(SNAPSHOT) == "<SnapshotInfo s: 3 concepts>"
    assert repr(_near("Dog", 0.5)) == "<RelatedConcept Dog: 0.50, 0.25 to 1.00 (90%)>"


def test_an_explanation_says_what_adds_the_most() -> None:
    none, some, most = (
        Contribution(*one) for one in (("ESA", 0.0, 0.0), ("MW", 0.5, 0.125), ("W2V", 0.25, -0.5))
    )
    shown = Explanation(0.25, [none, some, most], 0.625)
    assert repr(shown) == "<Explanation W2V -0.50, MW +0.12>"
    assert "<tr><td>W2V</td><td>0.25</td><td>-0.50</td></tr>" in shown._repr_html_()
    shares = [Contribution("MW", 0.5, 0.125, share=0.75)]
    of_evidence = Explanation(0.25, shares, 0.625, "evidence", 0.1)
    assert repr(of_evidence) == "<Explanation MW +0.75>"
    assert str(of_evidence).splitlines()[1:] == ["  +0.10  where every pair begins", "  +0.75  MW 0.5"]


def test_a_result_is_printed_with_its_explanation() -> None:
    some, most = Contribution("MW", 0.5, 0.125), Contribution("W2V", 0.25, -0.5)
    explanation = Explanation(0.875, [some, most], 0.5)
    pair = PairResult(score=0.5, status="ok", resolved=Resolved(CAT, CAT), explanation=explanation)
    sides = ResolvedTerms(TermSide("jazz", "ok"), TermSide("swing", "ok"))
    terms = TermResult(0.5, "ok", sides, explanation=explanation)
    for result, line in ((pair, "Cat | Cat: 0.50"), (terms, "jazz | swing: 0.50")):
        assert str(result).splitlines() == [
            line,
            "How it adds up, rounded:",
            "  +0.88  where every pair begins",
            "  -0.50  W2V 0.25",
            "  +0.12  MW 0.5",
        ]
        assert repr(result) == f"<{type(result).__name__} {line}>"
    assert repr(TermsResponse([terms], MODEL, SNAPSHOT)) == "<TermsResponse jazz | swing: 0.50>"


def test_features_are_a_table() -> None:
    table = FeatureTable(("MW", "ESA"), np.array([[0.5, np.nan]] * 1000))
    assert repr(table) == "<FeatureTable of 1,000 pairs: MW, ESA>"
    assert repr(FeatureTable(("MW",), np.ones((1, 1)))) == "<FeatureTable of 1 pair: MW>"
    assert table._repr_html_().count("<tr>") == MOST_ROWS + 1
    assert "<td>0.5</td><td>nan</td>" in table._repr_html_()
    assert "20 of 1,000 shown" in table._repr_html_()
