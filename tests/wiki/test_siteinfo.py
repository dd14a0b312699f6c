from __future__ import annotations

import json
import pickle

from hypothesis import given
from hypothesis import strategies as st

from wiki.siteinfo import CASE_SENSITIVE, FIRST_LETTER, Namespace, Siteinfo

cases = st.sampled_from([FIRST_LETTER, CASE_SENSITIVE])
namespaces = st.builds(Namespace, key=st.integers(-2, 3000), name=st.text(), case=cases)
siteinfos = st.builds(
    Siteinfo,
    sitename=st.text(),
    dbname=st.text(),
    language=st.text(),
    case=cases,
    namespaces=st.lists(namespaces, max_size=5).map(tuple),
)


@given(siteinfos)
def test_it_survives_json_and_pickle(siteinfo: Siteinfo) -> None:
    written = json.dumps(siteinfo.to_json())
    assert Siteinfo.from_json(json.loads(written)) == siteinfo
    assert pickle.loads(pickle.dumps(siteinfo)) == siteinfo
