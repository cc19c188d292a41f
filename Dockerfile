# Builds the server from this repository. CI does not build it.
FROM node:24-bookworm-slim AS build
WORKDIR /repo
COPY . .
RUN npm run setup && npx turbo run build --filter=@madang/server \
 && npx pnpm --filter @madang/server deploy --prod --no-optional --legacy /srv/madang

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
WORKDIR /srv/madang
COPY --from=build --chown=node:node /srv/madang ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/readyz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "dist/main.js"]
CMD ["start"]
