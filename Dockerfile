# The base has Node 24, npm and glibc. `--build-arg BASE=…` names another one.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /repo
COPY . .
RUN npm run setup -- --filter=. --filter=@madang/server... \
 && npx turbo run build --filter=@madang/server \
 && npx pnpm --filter @madang/server deploy --prod --no-optional --legacy /srv/madang

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /srv/madang
# The files belong to root: the server cannot change them.
COPY --from=build /srv/madang ./
# For a volume with the files of messages.
RUN install -d -o 1000 -g 1000 /var/lib/madang
# A number, so that Kubernetes can check that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "dist/main.js"]
CMD ["start"]
