import { Deployment } from "kubernetes-models/apps/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { Service } from "kubernetes-models/v1";
import { deployment, disruptionBudget, networkPolicy, service } from "../generated/kubernetes.ts";
import type { Result } from "./result.ts";

/** Longer than the server waits for open requests. */
const graceSeconds = 20;

/**
 * The objects of kubernetes.yaml against the schemas of the API, which accept unknown fields, and then the rules that no
 * schema knows. The type check of the generated module finds unknown fields.
 */
export function checkKubernetes(): Result {
  const objects = [
    new Deployment(deployment),
    new Service(service),
    new PodDisruptionBudget(disruptionBudget),
    new NetworkPolicy(networkPolicy),
  ];
  const rejected = objects.flatMap((object) => {
    try {
      object.validate();
      return [];
    } catch (error) {
      return [`${object.kind}: ${error}`];
    }
  });
  return {
    tool: "kubernetes-models",
    operations: objects.length,
    violations: [...rejected, ...checkRules()],
  };
}

function checkRules(): string[] {
  const { selector, template } = deployment.spec;
  const labels = JSON.stringify(template.metadata.labels);
  const selectors = [
    selector.matchLabels,
    service.spec.selector,
    disruptionBudget.spec.selector.matchLabels,
    networkPolicy.spec.podSelector.matchLabels,
  ];
  const containers = template.spec.containers;
  const delays = containers.flatMap(({ env }) =>
    env.filter(({ name }) => name === "MADANG_SHUTDOWN_DELAY_MS"),
  );
  const neededSeconds = Math.max(...delays.map(({ value }) => Number(value) / 1_000)) + graceSeconds;
  const ports = containers.flatMap((container) => container.ports.map(({ name }) => name));
  const probes = containers.flatMap((each) => [each.livenessProbe, each.readinessProbe, each.startupProbe]);
  const used = [
    ...service.spec.ports.map(({ targetPort }) => targetPort),
    ...probes.map(({ httpGet }) => httpGet.port),
    ...networkPolicy.spec.ingress.flatMap((rule) => rule.ports.map(({ port }) => port)),
  ];
  // A load balancer stops sending requests before the port closes.
  const isNoticed = containers.every(
    ({ readinessProbe }) =>
      readinessProbe.periodSeconds * readinessProbe.failureThreshold < neededSeconds - graceSeconds,
  );
  const isPatient = template.spec.terminationGracePeriodSeconds > neededSeconds;
  return [
    ...selectors
      .filter((each) => JSON.stringify(each) !== labels)
      .map((each) => `a selector is ${JSON.stringify(each)}`),
    ...(isPatient ? [] : [`terminationGracePeriodSeconds must exceed ${neededSeconds}`]),
    ...(isNoticed ? [] : ["MADANG_SHUTDOWN_DELAY_MS must exceed the time until a pod counts as not ready"]),
    ...used.filter((port) => !ports.includes(port)).map((port) => `no port is named ${port}`),
  ];
}
