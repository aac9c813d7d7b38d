import pytest
import unoduo_client


@pytest.mark.parametrize("name", unoduo_client.__all__)
def test_package_offers_every_name_that_it_lists(name: str) -> None:
    assert getattr(unoduo_client, name) is not None


def test_package_has_no_other_names() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'Game'"):
        _ = unoduo_client.Game  # type: ignore[attr-defined]
