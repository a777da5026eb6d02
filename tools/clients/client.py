"""The Python client of Kubernetes on the server of a kubeconfig: client.py KUBECONFIG.

Prints a line for each step, and ends with 1 at the first wrong result.
"""

import json
import sys
import threading
import time

from kubernetes import client, config, dynamic, utils, watch
from kubernetes.client.rest import ApiException
from kubernetes.leaderelection import electionconfig
from kubernetes.leaderelection import leaderelection as election
from kubernetes.leaderelection.resourcelock.configmaplock import ConfigMapLock
from kubernetes.stream import portforward, stream

NAMESPACE = "python"
# Seconds to wait for what must come: for a server that hangs.
PATIENCE = 120

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
apps = client.AppsV1Api()
batch = client.BatchV1Api()
anything = client.CustomObjectsApi()
by_discovery = dynamic.DynamicClient(client.ApiClient())


class Wrong(Exception):
    """A result that a cluster does not give."""


def expect(what, found, wanted):
    if found != wanted:
        raise Wrong(f"{what}: {found!r}, not {wanted!r}")


def refused(status, reason, call, *args, **kwargs):
    """Expects an error with this status code and reason."""
    try:
        call(*args, **kwargs)
    except ApiException as error:
        expect("status code", error.status, status)
        expect("reason of the Status", json.loads(error.body)["reason"], reason)
    else:
        raise Wrong(f"not refused with {status}")


def until(what, condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise Wrong(f"{what}: not within {PATIENCE} seconds")
        time.sleep(0.05)


def is_gone(call, *args):
    try:
        call(*args)
    except ApiException as error:
        expect("status code", error.status, 404)
        return True
    return False


def names(listed):
    return sorted(item.metadata.name for item in listed.items)


def meta(name, **more):
    return client.V1ObjectMeta(name=name, **more)


def pod_of(name, image, args=(), **more):
    container = client.V1Container(name="c", image=image, args=list(args))
    return client.V1Pod(metadata=meta(name), spec=client.V1PodSpec(containers=[container], **more))


def phase_of(name):
    return core.read_namespaced_pod_status(name, NAMESPACE).status.phase


def template_of(app, **more):
    container = client.V1Container(name="c", image="pause", ports=[client.V1ContainerPort(container_port=80)])
    spec = client.V1PodSpec(containers=[container], **more)
    return client.V1PodTemplateSpec(metadata=client.V1ObjectMeta(labels={"app": app}), spec=spec)


def step_version():
    expect("major version", client.VersionApi().get_code().major, "1")
    expect("core versions", client.CoreApi().get_api_versions().versions, ["v1"])
    expect("apps in discovery", "apps" in [group.name for group in client.ApisApi().get_api_versions().groups], True)
    created = core.create_namespace(client.V1Namespace(metadata=meta(NAMESPACE)))
    expect("phase", created.status.phase, "Active")


def step_lists_in_pages():
    for index in range(7):
        labels = {"odd": str(index % 2)}
        body = client.V1ConfigMap(metadata=meta(f"page-{index}", labels=labels), data={"index": str(index)})
        core.create_namespaced_config_map(NAMESPACE, body)
    seen, token, sizes = [], None, []
    while token != "":
        page = core.list_namespaced_config_map(NAMESPACE, limit=3, _continue=token, label_selector="odd")
        seen += names(page)
        sizes.append(len(page.items))
        token = page.metadata._continue or ""
    expect("names", seen, [f"page-{index}" for index in range(7)])
    expect("sizes of pages", sizes, [3, 3, 1])
    odd = core.list_namespaced_config_map(NAMESPACE, label_selector="odd=1")
    expect("selected by label", names(odd), ["page-1", "page-3", "page-5"])
    one = core.list_config_map_for_all_namespaces(field_selector=f"metadata.namespace={NAMESPACE},metadata.name=page-2")
    expect("selected by field", names(one), ["page-2"])


def step_refusals():
    body = client.V1ConfigMap(metadata=meta("page-0"))
    refused(409, "AlreadyExists", core.create_namespaced_config_map, NAMESPACE, body)
    refused(404, "NotFound", core.read_namespaced_config_map, "absent", NAMESPACE)
    refused(422, "Invalid", core.create_namespaced_config_map, NAMESPACE, client.V1ConfigMap(metadata=meta("No_Name")))
    stale = core.read_namespaced_config_map("page-0", NAMESPACE)
    core.patch_namespaced_config_map("page-0", NAMESPACE, {"data": {"index": "new"}})
    refused(409, "Conflict", core.replace_namespaced_config_map, "page-0", NAMESPACE, stale)
    dry = core.create_namespaced_config_map(NAMESPACE, client.V1ConfigMap(metadata=meta("dry")), dry_run="All")
    expect("dry run has a uid", bool(dry.metadata.uid), True)
    expect("dry run is not stored", is_gone(core.read_namespaced_config_map, "dry", NAMESPACE), True)


def step_patches():
    core.create_namespaced_service(
        NAMESPACE,
        client.V1Service(
            metadata=meta("patched"),
            spec=client.V1ServiceSpec(selector={"app": "web"}, ports=[client.V1ServicePort(name="http", port=80)]),
        ),
    )
    # An object is sent as a strategic merge patch: the ports are merged by their numbers.
    more = core.patch_namespaced_service("patched", NAMESPACE, {"spec": {"ports": [{"name": "tls", "port": 443}]}})
    expect("ports", sorted(port.port for port in more.spec.ports), [80, 443])
    # A list is sent as a JSON patch.
    operations = [{"op": "add", "path": "/metadata/labels", "value": {"a": "b"}}]
    expect("labels", core.patch_namespaced_service("patched", NAMESPACE, operations).metadata.labels, {"a": "b"})
    resource = by_discovery.resources.get(api_version="v1", kind="Service")
    body = {"metadata": {"name": "patched", "labels": {"a": None}}, "spec": {"ports": [{"name": "tls", "port": 443}]}}
    merge = "application/merge-patch+json"
    merged = resource.patch(body=body, namespace=NAMESPACE, content_type=merge)
    expect("ports of a merge patch", [port.port for port in merged.spec.ports], [443])
    expect("labels of a merge patch", merged.metadata.labels, None)


def step_watch_with_resume():
    def write(number):
        body = client.V1ConfigMap(metadata=meta(f"seen-{number}", labels={"watched": "yes"}))
        core.create_namespaced_config_map(NAMESPACE, body)

    def events(start, count):
        watching, seen = watch.Watch(), []
        listing = {"label_selector": "watched=yes", "resource_version": start, "timeout_seconds": PATIENCE}
        for event in watching.stream(core.list_namespaced_config_map, NAMESPACE, **listing):
            seen.append((event["type"], event["object"].metadata.name))
            if len(seen) == count:
                watching.stop()
        return seen, watching.resource_version

    start = core.list_namespaced_config_map(NAMESPACE, label_selector="watched=yes").metadata.resource_version
    write(1)
    write(2)
    first, last = events(start, 2)
    expect("events", first, [("ADDED", "seen-1"), ("ADDED", "seen-2")])
    core.delete_namespaced_config_map("seen-1", NAMESPACE)
    write(3)
    second, _ = events(last, 2)
    expect("events after the last one", second, [("DELETED", "seen-1"), ("ADDED", "seen-3")])
    # Without a version, what exists comes first.
    expect("events of what exists", sorted(events(None, 2)[0]), [("ADDED", "seen-2"), ("ADDED", "seen-3")])
    short = watch.Watch().stream(core.list_namespaced_config_map, NAMESPACE, resource_version=last, timeout_seconds=1)
    expect("events until the timeout", len(list(short)), 2)


def step_deployment():
    spec = client.V1DeploymentSpec(
        replicas=2, selector=client.V1LabelSelector(match_labels={"app": "web"}), template=template_of("web")
    )
    apps.create_namespaced_deployment(NAMESPACE, client.V1Deployment(metadata=meta("web"), spec=spec))
    selector = {"field_selector": "metadata.name=web", "timeout_seconds": PATIENCE}
    watching = watch.Watch()
    for event in watching.stream(apps.list_namespaced_deployment, NAMESPACE, **selector):
        if (event["object"].status.available_replicas or 0) == 2:
            watching.stop()
    status = apps.read_namespaced_deployment_status("web", NAMESPACE).status
    expect("available", {each.type: each.status for each in status.conditions}["Available"], "True")
    expect("pods", len(core.list_namespaced_pod(NAMESPACE, label_selector="app=web").items), 2)
    apps.patch_namespaced_deployment_scale("web", NAMESPACE, {"spec": {"replicas": 3}})
    until("three pods", lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.ready_replicas == 3)
    scale = apps.read_namespaced_deployment_scale("web", NAMESPACE)
    expect("scale", (scale.spec.replicas, scale.status.replicas, scale.status.selector), (3, 3, "app=web"))
    image = {"spec": {"template": {"spec": {"containers": [{"name": "c", "image": "nginx"}]}}}}
    apps.patch_namespaced_deployment("web", NAMESPACE, image)
    until("a second ReplicaSet", lambda: len(apps.list_namespaced_replica_set(NAMESPACE).items) == 2)
    until("its pods", lambda: apps.read_namespaced_deployment("web", NAMESPACE).status.updated_replicas == 3)


def step_server_side_apply():
    resource = by_discovery.resources.get(api_version="v1", kind="ConfigMap")

    def apply(manager, force=False, **fields):
        # This client sends an apply as it is given, so it is JSON already.
        body = json.dumps({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, **fields})
        options = {"field_manager": manager, "force_conflicts": force}
        applied = resource.server_side_apply(body=body, name="applied", namespace=NAMESPACE, **options)
        return applied.to_dict().get("data")

    apply("one", data={"a": "1", "b": "1"})
    refused(409, "Conflict", apply, "two", data={"b": "2"})
    expect("data", apply("two", data={"b": "2"}, force=True), {"a": "1", "b": "2"})
    expect("data without what one gave up", apply("one"), {"b": "2"})
    managers = core.read_namespaced_config_map("applied", NAMESPACE).metadata.managed_fields
    expect("managers", [(each.manager, each.operation) for each in managers], [("two", "Apply")])


def step_custom_objects():
    group, plural = "python.example.com", "crontabs"
    schema = {
        "type": "object",
        "properties": {
            "spec": {
                "type": "object",
                "required": ["cron"],
                "properties": {"cron": {"type": "string"}, "replicas": {"type": "integer", "default": 1}},
            },
            "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}},
        },
    }
    version = client.V1CustomResourceDefinitionVersion(
        name="v1",
        served=True,
        storage=True,
        schema=client.V1CustomResourceValidation(open_apiv3_schema=schema),
        subresources=client.V1CustomResourceSubresources(
            status={},
            scale=client.V1CustomResourceSubresourceScale(
                spec_replicas_path=".spec.replicas", status_replicas_path=".status.replicas"
            ),
        ),
    )
    definition = client.V1CustomResourceDefinition(
        api_version="apiextensions.k8s.io/v1",
        kind="CustomResourceDefinition",
        metadata=meta(f"{plural}.{group}"),
        spec=client.V1CustomResourceDefinitionSpec(
            group=group,
            scope="Namespaced",
            versions=[version],
            names=client.V1CustomResourceDefinitionNames(kind="CronTab", plural=plural, short_names=["ct"]),
        ),
    )
    extensions = client.ApiextensionsV1Api()
    extensions.create_custom_resource_definition(definition)

    def is_established():
        status = extensions.read_custom_resource_definition_status(f"{plural}.{group}").status
        conditions = (status and status.conditions) or []
        return any(each.type == "Established" and each.status == "True" for each in conditions)

    until("the definition is established", is_established)
    where = (group, "v1", NAMESPACE, plural)
    body = {"apiVersion": f"{group}/v1", "kind": "CronTab", "metadata": {"name": "tab"}, "spec": {"cron": "* * * * *"}}
    created = anything.create_namespaced_custom_object(*where, {**body, "unknown": 1})
    expect("pruned and defaulted", ("unknown" in created, created["spec"]["replicas"]), (False, 1))
    wrong = {**body, "metadata": {"name": "wrong"}, "spec": {"replicas": "x"}}
    refused(422, "Invalid", anything.create_namespaced_custom_object, *where, wrong)
    patched = anything.patch_namespaced_custom_object(*where, "tab", {"spec": {"replicas": 4}})
    expect("patched", patched["spec"], {"cron": "* * * * *", "replicas": 4})
    anything.patch_namespaced_custom_object_status(*where, "tab", {"status": {"replicas": 4}})
    scale = anything.get_namespaced_custom_object_scale(*where, "tab")
    expect("scale", (scale["spec"]["replicas"], scale["status"]["replicas"]), (4, 4))
    listed = anything.list_cluster_custom_object(group, "v1", plural)
    expect("listed", [item["metadata"]["name"] for item in listed["items"]], ["tab"])
    by_discovery.resources.invalidate_cache()
    found = by_discovery.resources.get(api_version=f"{group}/v1", kind="CronTab")
    expect("found by discovery", found.get(name="tab", namespace=NAMESPACE).spec.replicas, 4)
    extensions.delete_custom_resource_definition(f"{plural}.{group}")
    until("the definition is gone", lambda: is_gone(extensions.read_custom_resource_definition, f"{plural}.{group}"))
    expect("its objects are gone", is_gone(anything.list_cluster_custom_object, group, "v1", plural), True)


def step_exec():
    core.create_namespaced_pod(NAMESPACE, pod_of("shell", "pause"))
    until("the pod runs", lambda: phase_of("shell") == "Running")
    streams = {"stderr": True, "stdin": False, "stdout": True, "tty": False}

    def execute(*command, **more):
        return stream(
            core.connect_get_namespaced_pod_exec, "shell", NAMESPACE, command=list(command), **{**streams, **more}
        )

    expect("output", execute("sh", "-c", "echo out; echo err >&2"), "out\nerr\n")
    failing = execute("sh", "-c", "exit 7", _preload_content=False)
    failing.run_forever(timeout=PATIENCE)
    expect("exit code", failing.returncode, 7)
    shell = execute("sh", stdin=True, _preload_content=False)
    shell.write_stdin("echo $((6 * 7))\n")
    expect("what the shell answers", shell.readline_stdout(timeout=PATIENCE), "42")
    shell.write_stdin("echo wrong >&2\n")
    expect("its errors", shell.readline_stderr(timeout=PATIENCE), "wrong")
    shell.close()
    expect("a terminal", execute("echo", "line", tty=True), "line\r\n")


def step_port_forward():
    core.create_namespaced_pod(NAMESPACE, pod_of("echo", "http-echo", ["--port", "8080"]))
    until("the pod runs", lambda: phase_of("echo") == "Running")
    forward = portforward(core.connect_get_namespaced_pod_portforward, "echo", NAMESPACE, ports="8080")
    socket = forward.socket(8080)
    socket.setblocking(True)
    socket.sendall(b"GET /through HTTP/1.1\r\nHost: echo\r\nConnection: close\r\n\r\n")
    response = b""
    while chunk := socket.recv(4096):
        response += chunk
    socket.close()
    expect("answered", (response.startswith(b"HTTP/1.1 200"), b'"/through"' in response), (True, True))
    expect("error", forward.error(8080), None)
    proxied = core.connect_get_namespaced_pod_proxy_with_path("echo:8080", NAMESPACE, "proxied")
    expect("proxied", "/proxied" in proxied, True)


def step_logs():
    core.create_namespaced_pod(NAMESPACE, pod_of("says", "log-generator", ["+0s=one", "+0.5s=two"], restart_policy="Never"))
    until("the pod runs", lambda: phase_of("says") in ("Running", "Succeeded"))
    lines = list(watch.Watch().stream(core.read_namespaced_pod_log, "says", NAMESPACE))
    expect("followed", lines, ["one", "two"])
    expect("tail", core.read_namespaced_pod_log("says", NAMESPACE, tail_lines=1), "two\n")
    until("the pod has ended", lambda: phase_of("says") == "Succeeded")
    events = core.list_namespaced_event(NAMESPACE, field_selector="involvedObject.name=says")
    expect("Started among the events", "Started" in [event.reason for event in events.items], True)


def step_leases():
    leases = client.CoordinationV1Api()
    spec = client.V1LeaseSpec(holder_identity="one", lease_duration_seconds=15, lease_transitions=0)
    lease = leases.create_namespaced_lease(NAMESPACE, client.V1Lease(metadata=meta("held"), spec=spec))
    lease.spec.holder_identity, lease.spec.lease_transitions = "two", 1
    leases.replace_namespaced_lease("held", NAMESPACE, lease)
    expect("holder", leases.read_namespaced_lease("held", NAMESPACE).spec.holder_identity, "two")
    refused(409, "Conflict", leases.replace_namespaced_lease, "held", NAMESPACE, lease)
    led = threading.Event()
    lock = ConfigMapLock("leader", NAMESPACE, "one")
    settings = electionconfig.Config(
        lock, lease_duration=3, renew_deadline=2, retry_period=1, onstarted_leading=led.set, onstopped_leading=None
    )
    threading.Thread(target=election.LeaderElection(settings).run, daemon=True).start()
    expect("leads", led.wait(PATIENCE), True)


def step_jobs():
    job_spec = client.V1JobSpec(template=template_of("job", restart_policy="Never"), backoff_limit=0)
    job_spec.template.spec.containers[0].image = "busybox"
    job_spec.template.spec.containers[0].command = ["sh", "-c", "echo done"]
    schedule = client.V1CronJobSpec(
        schedule="0 0 1 1 *", suspend=True, job_template=client.V1JobTemplateSpec(spec=job_spec)
    )
    cron = batch.create_namespaced_cron_job(NAMESPACE, client.V1CronJob(metadata=meta("yearly"), spec=schedule))
    owner = client.V1OwnerReference(
        api_version="batch/v1", kind="CronJob", name="yearly", uid=cron.metadata.uid, controller=True
    )
    job = client.V1Job(metadata=meta("now", owner_references=[owner]), spec=cron.spec.job_template.spec)
    batch.create_namespaced_job(NAMESPACE, job)
    until("the job is complete", lambda: batch.read_namespaced_job_status("now", NAMESPACE).status.succeeded == 1)
    pods = core.list_namespaced_pod(NAMESPACE, label_selector="job-name=now")
    expect("log of the job", core.read_namespaced_pod_log(pods.items[0].metadata.name, NAMESPACE), "done\n")
    batch.patch_namespaced_cron_job("yearly", NAMESPACE, {"spec": {"schedule": "* * * * *", "suspend": False}})
    expect("schedule", batch.read_namespaced_cron_job("yearly", NAMESPACE).spec.schedule, "* * * * *")
    batch.delete_namespaced_cron_job("yearly", NAMESPACE, propagation_policy="Background")
    until("the job goes with its owner", lambda: is_gone(batch.read_namespaced_job, "now", NAMESPACE))


def step_accounts():
    core.create_namespaced_service_account(NAMESPACE, client.V1ServiceAccount(metadata=meta("robot")))
    request = client.AuthenticationV1TokenRequest(spec=client.V1TokenRequestSpec(audiences=[], expiration_seconds=600))
    token = core.create_namespaced_service_account_token("robot", NAMESPACE, request).status.token
    review = client.V1TokenReview(spec=client.V1TokenReviewSpec(token=token))
    status = client.AuthenticationV1Api().create_token_review(review).status
    expect("user of the token", status.user.username, f"system:serviceaccount:{NAMESPACE}:robot")
    attributes = client.V1ResourceAttributes(verb="list", resource="pods", namespace=NAMESPACE)
    access = client.V1SelfSubjectAccessReview(spec=client.V1SelfSubjectAccessReviewSpec(resource_attributes=attributes))
    allowed = client.AuthorizationV1Api().create_self_subject_access_review(access).status.allowed
    expect("access of oneself", allowed, True)
    secret = client.V1Secret(metadata=meta("hidden"), string_data={"key": "value"})
    expect("data of a secret", core.create_namespaced_secret(NAMESPACE, secret).data, {"key": "dmFsdWU="})


def step_eviction():
    budgets = client.PolicyV1Api()
    spec = client.V1PodDisruptionBudgetSpec(
        min_available=3, selector=client.V1LabelSelector(match_labels={"app": "web"})
    )
    budgets.create_namespaced_pod_disruption_budget(
        NAMESPACE, client.V1PodDisruptionBudget(metadata=meta("web"), spec=spec)
    )
    read = budgets.read_namespaced_pod_disruption_budget_status
    until("the budget counts", lambda: (read("web", NAMESPACE).status.current_healthy or 0) == 3)
    name = names(core.list_namespaced_pod(NAMESPACE, label_selector="app=web"))[0]
    eviction = client.V1Eviction(metadata=meta(name))
    refused(429, "TooManyRequests", core.create_namespaced_pod_eviction, name, NAMESPACE, eviction)
    budgets.delete_namespaced_pod_disruption_budget("web", NAMESPACE)
    core.create_namespaced_pod_eviction(name, NAMESPACE, eviction)
    until("the pod is evicted", lambda: is_gone(core.read_namespaced_pod, name, NAMESPACE))


def step_manifests():
    ingress = {
        "apiVersion": "networking.k8s.io/v1",
        "kind": "Ingress",
        "metadata": {"name": "web"},
        "spec": {"defaultBackend": {"service": {"name": "web", "port": {"number": 80}}}},
    }
    scaler = {
        "apiVersion": "autoscaling/v1",
        "kind": "HorizontalPodAutoscaler",
        "metadata": {"name": "web"},
        "spec": {"maxReplicas": 4, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "web"}},
    }
    for manifest in (ingress, scaler):
        utils.create_from_dict(client.ApiClient(), manifest, namespace=NAMESPACE)
    read = client.NetworkingV1Api().read_namespaced_ingress("web", NAMESPACE)
    expect("backend", read.spec.default_backend.service.port.number, 80)
    scalers = client.AutoscalingV1Api().list_namespaced_horizontal_pod_autoscaler(NAMESPACE)
    expect("autoscalers", names(scalers), ["web"])
    node = core.list_node().items[0].metadata.name
    expect("cordoned", core.patch_node(node, {"spec": {"unschedulable": True}}).spec.unschedulable, True)
    core.patch_node(node, {"spec": {"unschedulable": None}})
    kinds = {resource.kind for resource in by_discovery.resources.search(group="apps")}
    expect("kinds of apps", {"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"} <= kinds, True)


def step_deletions():
    apps.delete_namespaced_deployment("web", NAMESPACE, propagation_policy="Foreground")
    until("the deployment is gone", lambda: is_gone(apps.read_namespaced_deployment, "web", NAMESPACE))
    expect("ReplicaSets that went first", names(apps.list_namespaced_replica_set(NAMESPACE)), [])
    spec = client.V1ReplicaSetSpec(
        replicas=1, selector=client.V1LabelSelector(match_labels={"app": "left"}), template=template_of("left")
    )
    apps.create_namespaced_replica_set(NAMESPACE, client.V1ReplicaSet(metadata=meta("left"), spec=spec))
    pods = {"label_selector": "app=left"}
    until("its pod", lambda: len(core.list_namespaced_pod(NAMESPACE, **pods).items) == 1)
    apps.delete_namespaced_replica_set("left", NAMESPACE, body=client.V1DeleteOptions(propagation_policy="Orphan"))
    until("the ReplicaSet is gone", lambda: is_gone(apps.read_namespaced_replica_set, "left", NAMESPACE))
    expect("owners of its pod", core.list_namespaced_pod(NAMESPACE, **pods).items[0].metadata.owner_references, None)
    other = client.V1Preconditions(uid="00000000-0000-0000-0000-000000000000")
    options = client.V1DeleteOptions(preconditions=other)
    refused(409, "Conflict", core.delete_namespaced_config_map, "page-0", NAMESPACE, body=options)
    core.delete_collection_namespaced_config_map(NAMESPACE, label_selector="odd=1")
    left = core.list_namespaced_config_map(NAMESPACE, label_selector="odd")
    expect("left of the collection", names(left), ["page-0", "page-2", "page-4", "page-6"])
    core.delete_namespace(NAMESPACE)
    until("the namespace is gone", lambda: is_gone(core.read_namespace, NAMESPACE))


steps = [value for name, value in list(globals().items()) if name.startswith("step_")]
for step in steps:
    title = step.__name__.removeprefix("step_").replace("_", " ")
    try:
        step()
    except (Wrong, ApiException) as error:
        sys.exit(f"wrong: {title}: {error}")
    print(f"ok: {title}", flush=True)
print(f"{len(steps)} steps")
