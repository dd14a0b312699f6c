"""What deploys wort says what the code says, and asks for no more rights than it needs."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.main import get_command

import wort
from app.cli import command_line
from app.settings import Settings
from tests.conftest import ROOT
from tests.container.dockerfile import context, stages

IMAGE = stages(ROOT / "Dockerfile")[-1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text())
KUBERNETES = ROOT / "deploy" / "kubernetes"
MANIFESTS: dict[str, Any] = {
    path.stem: yaml.safe_load(path.read_text()) for path in sorted(KUBERNETES.glob("*.yaml"))
}
TEMPLATES = {name: MANIFESTS[name]["spec"]["template"]["spec"] for name in ("deployment", "snapshot-job")}
USER, GROUP = map(int, IMAGE.last("USER").rest.split(":"))


CONTAINERS: dict[tuple[str, str], dict[str, Any]] = {
    (name, container["name"]): container
    for name, pod in TEMPLATES.items()
    for container in (*pod.get("initContainers", ()), *pod["containers"])
}


def seconds(said: str) -> int:
    return int(said.removesuffix("s"))


def default(name: str) -> Any:
    return Settings.model_fields[name].default


def test_the_dockerfile_is_linted() -> None:
    done = subprocess.run(
        [Path(sys.executable).with_name("hadolint"), ROOT / "Dockerfile"], check=False, capture_output=True
    )
    assert done.returncode == 0, done.stdout.decode()


def test_the_image_has_every_package_and_what_building_needs() -> None:
    files = context(ROOT)
    for package in ("wort", *PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["only-include"]):
        there = {path for path in files if path.parts[0] == package}
        here = {
            path.relative_to(ROOT)
            for path in (ROOT / package).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert there == here, package
    named = (PROJECT["project"]["readme"], *PROJECT["project"]["license-files"], "requirements.txt")
    assert set(map(Path, named)) < set(files)
    assert not {path.parts[0] for path in files} & {"tests", "docs", ".git", ".venv", "data"}


def test_what_builds_the_wheel_is_pinned_as_it_is_for_development() -> None:
    pinned = (ROOT / "requirements-dev.txt").read_text()
    blocks = re.findall(
        r"^\S+==.*\n(?:    --hash.*\n)+", (ROOT / "requirements-build.txt").read_text(), re.MULTILINE
    )
    assert any(block.startswith("hatchling==") for block in blocks)
    for block in blocks:
        assert block.rstrip() in pinned, block


def test_the_image_says_what_it_is() -> None:
    labels = dict(word.split("=", 1) for word in IMAGE.last("LABEL").words)
    project = PROJECT["project"]
    assert labels["org.opencontainers.image.version"] == wort.__version__
    assert labels["org.opencontainers.image.title"] == "wort"
    assert labels["org.opencontainers.image.licenses"] == project["license"]


def test_images_are_named_without_a_host() -> None:
    named = [stage.image for stage in stages(ROOT / "Dockerfile")]
    named += [service["image"] for service in COMPOSE["services"].values()]
    named += [container["image"] for container in CONTAINERS.values()]
    for image in named:
        assert re.fullmatch(r"[a-z]+(:[a-z0-9.-]+)?", image), image


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_services_have_no_rights(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert not {"privileged", "cap_add", "network_mode", "pid", "ipc"} & set(service)
    assert "/tmp" in service["tmpfs"]


def test_the_composed_service_starts_with_its_registry_and_stops_in_time() -> None:
    service, postgres = COMPOSE["services"]["wort"], COMPOSE["services"]["postgres"]
    assert service["depends_on"] == {"postgres": {"condition": "service_healthy"}}
    assert "pg_isready" in postgres["healthcheck"]["test"]
    assert "ports" not in postgres
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    assert seconds(service["stop_grace_period"]) > default("shutdown_seconds")
    assert "snapshots:/snapshots:ro" in service["volumes"]
    volumes = {mount.split(":")[0] for of in COMPOSE["services"].values() for mount in of["volumes"]}
    assert volumes == set(COMPOSE["volumes"])


def test_no_secret_stands_in_a_file() -> None:
    for service in COMPOSE["services"].values():
        for name, value in service["environment"].items():
            if re.search("PASSWORD|KEY$", name):
                assert value.startswith("${"), name
    for name, value in MANIFESTS["secret.example"]["stringData"].items():
        assert name == "WORT_DATABASE" or value == "CHANGE-ME"
    assert "secret.example.yaml" not in MANIFESTS["kustomization"]["resources"]
    for text in (ROOT / "compose.yaml", *KUBERNETES.glob("*.yaml")):
        assert not re.search(r"://[^\s/@]+:[^\s/@]+@", text.read_text()), text


def test_the_settings_that_are_named_are_settings() -> None:
    named = set(re.findall(r"\bWORT_[A-Z_]+", " ".join(map(str, (COMPOSE, MANIFESTS)))))
    named |= {word.split("=")[0] for word in IMAGE.last("ENV").words if word.startswith("WORT_")}
    assert named <= set(Settings.variables())


@pytest.mark.parametrize("name", CONTAINERS, ids=" ".join)
def test_pods_keep_to_the_restricted_standard(name: tuple[str, str]) -> None:
    pod, container = TEMPLATES[name[0]], CONTAINERS[name]
    assert pod["automountServiceAccountToken"] is False
    assert pod["enableServiceLinks"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["runAsUser"] == USER
    assert pod["securityContext"]["runAsGroup"] == GROUP
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["requests"].keys() >= {"cpu", "memory"}
    assert "memory" in container["resources"]["limits"]
    mounts = {mount["mountPath"]: mount["name"] for mount in container["volumeMounts"]}
    assert mounts.keys() == {"/snapshots", "/data", "/tmp"}
    assert set(mounts.values()) == {volume["name"] for volume in pod["volumes"]}
    assert container["image"].split(":")[1] == wort.__version__


def test_replicas_read_one_volume_and_are_probed_where_the_service_answers() -> None:
    pod = TEMPLATES["deployment"]
    (container,) = pod["containers"]
    (port,) = container["ports"]
    assert str(port["containerPort"]) == IMAGE.last("EXPOSE").rest == str(default("port"))
    for probe, path in (("startup", "/health"), ("readiness", "/ready"), ("liveness", "/health")):
        assert container[f"{probe}Probe"]["httpGet"] == {"path": path, "port": port["name"]}
    assert {"name": "snapshots", "mountPath": "/snapshots", "readOnly": True} in container["volumeMounts"]
    claim = MANIFESTS["snapshots"]
    assert "ReadOnlyMany" in claim["spec"]["accessModes"]
    for of in TEMPLATES.values():
        claims = [
            volume["persistentVolumeClaim"] for volume in of["volumes"] if "persistentVolumeClaim" in volume
        ]
        assert [entry["claimName"] for entry in claims] == [claim["metadata"]["name"]]
    pause = int(container["lifecycle"]["preStop"]["exec"]["command"][1])
    assert pod["terminationGracePeriodSeconds"] > pause + default("shutdown_seconds")
    assert (
        MANIFESTS["deployment"]["spec"]["replicas"] > MANIFESTS["disruption-budget"]["spec"]["maxUnavailable"]
    )
    assert container["envFrom"] == [{"secretRef": {"name": MANIFESTS["secret.example"]["metadata"]["name"]}}]


def test_what_selects_pods_finds_them() -> None:
    labels = MANIFESTS["deployment"]["spec"]["template"]["metadata"]["labels"]
    assert MANIFESTS["service"]["spec"]["selector"] == labels
    assert MANIFESTS["disruption-budget"]["spec"]["selector"]["matchLabels"] == labels
    assert MANIFESTS["deployment"]["spec"]["selector"]["matchLabels"] == labels
    (spread,) = TEMPLATES["deployment"]["topologySpreadConstraints"]
    assert spread["labelSelector"]["matchLabels"] == labels
    # Or a job would be sent requests.
    assert MANIFESTS["snapshot-job"]["spec"]["template"]["metadata"]["labels"] != labels


def test_the_kustomization_builds() -> None:
    named = {"kustomization", "secret.example", "snapshot-job"}
    assert {Path(name).stem for name in MANIFESTS["kustomization"]["resources"]} == set(MANIFESTS) - named
    if shutil.which("kubectl") is None:
        pytest.skip("there is no kubectl")
    built = subprocess.run(["kubectl", "kustomize", KUBERNETES], check=True, capture_output=True, text=True)
    assert {entry["metadata"].get("namespace") for entry in yaml.safe_load_all(built.stdout)} == {
        None,
        "wort",
    }


def test_the_commands_that_are_named_are_commands() -> None:
    """In the job and in the page on deploying; their options too. What they name need not exist."""
    page = (ROOT / "docs" / "deploy.md").read_text()
    lines = re.findall(r"^docker compose run --rm tools (.*)$", page, re.MULTILINE)
    for container in CONTAINERS.values():
        line = " ".join(container.get("args", ())).replace("\\\n", " ")
        lines += re.findall(r"\bwort (.*)", line) if "command" in container else [line]
    named = re.findall(r"^((?:models )?[a-z]+) (.+)$", "\n".join(lines), re.MULTILINE)
    assert {command for command, _ in named} == {
        "download",
        "build",
        "verify",
        "train",
        "models add",
        "models promote",
    }
    known = get_command(command_line([command.split()[0] for command, _ in named]))
    for command, rest in named:
        found: Any = known
        for name in command.split():
            found = found.commands[name]
        options = {option for parameter in found.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z]+", rest)) <= options, command
