# syntax=docker/dockerfile:1
# The server with its clients for SQLite and PostgreSQL, both models inside; it needs no network to start.
FROM python:3.13-slim AS build
WORKDIR /source
RUN python -m venv /opt/wellkept
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN /opt/wellkept/bin/pip install --no-cache-dir --no-compile ".[server,postgres]"

FROM python:3.13-slim
LABEL org.opencontainers.image.title="wellkept" \
      org.opencontainers.image.description="Long-term memory for AI agents and the people they talk to" \
      org.opencontainers.image.licenses="Apache-2.0"
# A number, so that Kubernetes can tell that it is not root.
RUN groupadd --system --gid 10001 wellkept \
 && useradd --system --uid 10001 --gid 10001 --home-dir /var/lib/wellkept --create-home wellkept
COPY --from=build /opt/wellkept /opt/wellkept
ENV PATH=/opt/wellkept/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    WELLKEPT_DB=/var/lib/wellkept/memory.db
USER 10001:10001
WORKDIR /var/lib/wellkept
VOLUME /var/lib/wellkept
EXPOSE 8765
# The server listens on every address of the container, so it needs a key: the first one is written to the volume.
CMD ["wellkept", "serve", "--host", "0.0.0.0", "--first-key", "/var/lib/wellkept/first-key"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8765/readyz', timeout=4)"]
