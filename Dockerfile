# Page and server are built in one stage and copied into another, which has no development packages.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev
COPY config config
COPY contract contract
COPY web web
COPY gateway gateway
COPY backend backend
COPY scripts/build.ts scripts/fewer-chunks.ts scripts/stylesheet.ts scripts/build-server.ts scripts/bare-endpoints.ts scripts/
RUN node scripts/build.ts && node scripts/build-server.ts

FROM node:24-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The browser for pages whose text is made by scripts.
RUN apt-get update && apt-get install -y --no-install-recommends chromium fonts-liberation && rm -rf /var/lib/apt/lists/*
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force && mkdir -p build /data && chown node:node build /data
COPY LICENSE ./
COPY config config
COPY contract contract
COPY gateway gateway
COPY backend backend
COPY scripts/admin.ts scripts/compile.ts scripts/
COPY scripts/admin scripts/admin
COPY --from=build --chown=node:node /app/build build
USER node
# Compiled code is good for one user and one set of flags: those of the command below.
RUN node --import ./gateway/small-heap.js --import ./gateway/compile-cache.js scripts/compile.ts
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=15s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--import", "./gateway/small-heap.js", "--import", "./gateway/compile-cache.js", "build/server/main.js"]
