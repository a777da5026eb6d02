"""Tests of a client in Python against the test server, which the tests control over HTTP.

    npx kube-api-conformance serve --nodes 0 --control-port 0 --write-control control.json --write-kubeconfig kubeconfig &
    KUBE_API_CONFORMANCE_CONTROL=control.json python3 -m unittest
"""

import json
import os
import unittest
import urllib.error
import urllib.request

with open(os.environ["KUBE_API_CONFORMANCE_CONTROL"], encoding="utf-8") as file:
    CONTROL = json.load(file)


def control(method, path, body=None):
    """Sends a request to the control port, and returns its answer."""
    request = urllib.request.Request(
        CONTROL["url"] + path,
        method=method,
        headers={"Authorization": "Bearer " + CONTROL["token"]},
        data=None if body is None else json.dumps(body).encode(),
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)


class ControlTest(unittest.TestCase):
    def setUp(self):
        control("POST", "/reset")

    def test_objects_are_there_before_the_client_starts(self):
        config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "one", "namespace": "default"}}
        control("POST", "/objects", [config])
        names = [item["metadata"]["name"] for item in control("GET", "/objects/configmaps?namespace=default")["items"]]
        self.assertIn("one", names)

    def test_a_failure_counts_the_requests_that_it_meets(self):
        rule = control("POST", "/failures", {"verb": "list", "resource": "pods", "status": 503, "times": 1})
        self.assertEqual(control("GET", "/rules/" + rule["id"])["calls"], 0)

    def test_the_clock_moves(self):
        control("POST", "/clock/advance", {"milliseconds": 86_400_000})
        self.assertIn("T", control("GET", "/clock")["now"])

    def test_a_typing_error_is_told(self):
        with self.assertRaises(urllib.error.HTTPError) as raised:
            control("POST", "/failures", {"resource": "pots", "status": 503})
        self.assertIn("pots", json.load(raised.exception)["error"])


if __name__ == "__main__":
    unittest.main()
