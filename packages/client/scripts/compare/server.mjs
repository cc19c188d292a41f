// A hostile server whose responses every compared SDK accepts as those of its own service.
import { createServer } from "node:http";

const entry = {
  id: "user_1",
  user_id: "user_1",
  name: "Kim",
  object: "user",
  meta: {},
  created_at: 1,
  updated_at: 1,
};
const page = (items, next) => ({
  ...{ object: "list", data: items, results: items, users: items },
  ...{ has_more: next !== undefined, next_cursor: next ?? null, ...(next !== undefined && { next }) },
});

const failure = (code) => ({ code, detail: "no", message: "no", error: { message: "no", type: code, code } });

const send = (response, body, status = 200, headers = {}) =>
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const scripts = {
  good: (response) => send(response, entry),
  cut: (response) => {
    response
      .writeHead(200, { "content-type": "application/json", "content-length": "1000" })
      .write('{"id":"us');
    setTimeout(() => response.destroy(), 20);
  },
  stall: (response) => {
    response
      .writeHead(200, { "content-type": "application/json", "content-length": "1000" })
      .write('{"id":"us');
  },
  "same-cursor": (response, { isOctokit }) =>
    send(response, isOctokit ? [entry] : page([entry], "again"), 200, {
      link: '<http://sdk.test/users?page=2>; rel="next"',
    }),
  "empty-page": (response, { isOctokit, index }) => {
    const items = index === 1 ? [] : [{ ...entry, id: `user_${index}`, user_id: `user_${index}` }];
    const next = index < 2 ? `cursor_${index}` : undefined;
    const link = next === undefined ? {} : { link: `<http://sdk.test/users?page=${index + 2}>; rel="next"` };
    send(response, isOctokit ? items : page(items, next), 200, link);
  },
  "wait-an-hour": (response) => send(response, failure("rate_limited"), 429, { "retry-after": "3600" }),
  refuse: (response) => send(response, failure("invalid_request"), 400),
};

/** The address is `/<script>/<peer>/…`; the requests of each such pair are counted. */
export async function startServer() {
  const urls = new Map();
  const server = createServer((request, response) => {
    const [, script, peer, ...rest] = request.url.split("/");
    const run = `${script}/${peer}`;
    const sent = urls.get(run) ?? [];
    urls.set(run, [...sent, `/${rest.join("/")}`]);
    request.resume();
    // The next row must not get a connection that this one has broken.
    response.setHeader("connection", "close");
    scripts[script](response, { isOctokit: peer === "octokit", index: sent.length });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address();
  return {
    address: `http://127.0.0.1:${port}`,
    urlsOf: (run) => urls.get(run) ?? [],
    reset: (run) => urls.delete(run),
  };
}
