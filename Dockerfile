# wort with its starter snapshot: `docker build -t wort .`, then `docker run -p 8000:8000 wort`.
FROM python:3.11-slim AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /src
# The dependencies change more seldom than the code: their layers are kept.
COPY requirements-build.txt requirements.txt ./
# pip stays out of what is shipped.
RUN python -m venv /opt/build && python -m venv --without-pip /opt/wort \
    && /opt/build/bin/python -m pip install --require-hashes -r requirements-build.txt
RUN /opt/build/bin/python -m pip --python /opt/wort/bin/python install --require-hashes -r requirements.txt
COPY . .
RUN /opt/build/bin/python -m pip wheel --no-deps --no-build-isolation --wheel-dir /opt/wheel ./wort ./deploy/starter . \
    && /opt/build/bin/python -m pip --python /opt/wort/bin/python install --no-deps /opt/wheel/*.whl

FROM python:3.11-slim
LABEL org.opencontainers.image.title="wort" \
      org.opencontainers.image.description="How related are two Wikipedia concepts?" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0"
RUN useradd --system --uid 10001 --user-group --home-dir /data --shell /usr/sbin/nologin wort \
    && install -d -o wort -g wort /data /snapshots
COPY --from=build /opt/wort /opt/wort
# The root may be read-only: what is compiled goes to /tmp, a registry of SQLite to /data.
ENV PATH=/opt/wort/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    NUMBA_CACHE_DIR=/tmp/numba \
    XDG_DATA_HOME=/data \
    WORT_HOST=0.0.0.0 \
    WORT_LOG_FORMAT=json
# By number: Kubernetes cannot tell from a name that it is not root.
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
# Healthy is what can be sent requests. Where the compiled code that comes along cannot run, the first start compiles.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
    CMD ["python", "-I", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ.get(\"WORT_PORT\", 8000)}/ready', timeout=2)"]
# The server then ends the requests that it has begun, WORT_SHUTDOWN_SECONDS (30) at most: give it longer to stop.
STOPSIGNAL SIGTERM
ENTRYPOINT ["wort"]
CMD ["serve"]
