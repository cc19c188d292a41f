import { Router } from "express";
import { expect, test } from "vitest";
import { addPath, createNode, findRouter } from "./route-operations";

const find = (paths: Readonly<Record<string, Router>>, path: string, method = "GET") => {
  const root = createNode();
  for (const [pattern, router] of Object.entries(paths)) addPath(root, "GET", pattern, router);
  return findRouter(root, method, path.split("/").slice(1));
};

test("a literal segment does not hide the parameter beside it", () => {
  const [search, member] = [Router(), Router()];
  const paths = { "/users/search": search, "/users/:user_id/meta": member };
  expect(find(paths, "/users/search")).toBe(search);
  expect(find(paths, "/users/search/meta")).toBe(member);
  expect(find(paths, "/users/kim_01/meta")).toBe(member);
});

test("a literal segment comes before a parameter", () => {
  const [literal, parameter] = [Router(), Router()];
  expect(find({ "/users/:user_id": parameter, "/users/me": literal }, "/users/me")).toBe(literal);
});

test("a path or a method without a route leads nowhere", () => {
  const paths = { "/users/:user_id": Router() };
  expect(find(paths, "/users")).toBeUndefined();
  expect(find(paths, "/users/kim_01/meta")).toBeUndefined();
  expect(find(paths, "/users/kim_01", "POST")).toBeUndefined();
});
