# The suite and the reference server in an image:
#   docker build --tag kube-api-conformance .
#   docker run --rm -v "$PWD/report:/work/report" kube-api-conformance run --url https://host:6443 --insecure --token "$TOKEN"
FROM node:22-slim AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY . .
RUN npm run --silent build \
  && npm pack --ignore-scripts --pack-destination /tmp \
  && mkdir /app \
  && tar -xzf /tmp/kube-api-conformance-*.tgz -C /app --strip-components=1

FROM node:22-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --ignore-scripts \
  && npm install --no-save --omit=dev --ignore-scripts lmdb@3.5.6 fs-native-extensions@1.5.1

FROM node:22-slim
COPY --from=build /app /app
COPY --from=dependencies /app/node_modules /app/node_modules
RUN ln -s /app/dist/cli/main.js /usr/local/bin/kube-api-conformance \
  && chmod 755 /app/dist/cli/main.js \
  && install -d -o node -g node /work
USER node
WORKDIR /work
ENTRYPOINT ["kube-api-conformance"]
CMD ["--help"]
