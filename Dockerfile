# wort with its starter snapshot: `docker build -t wort .`, then `docker run -p 8000:8000 wort`.
FROM python:3.11-slim AS build
RUN python -m venv /opt/wort
WORKDIR /src
# The dependencies change more seldom than the code: their layer is kept.
COPY requirements.txt ./
RUN /opt/wort/bin/python -m pip install --no-cache-dir --require-hashes -r requirements.txt
COPY . .
RUN /opt/wort/bin/python -m pip install --no-cache-dir --no-deps .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data wort && install -d -o wort -g wort /data
COPY --from=build /opt/wort /opt/wort
# The root may be read-only: what is compiled goes to /tmp, the registry and snapshots to the volume.
ENV PATH=/opt/wort/bin:$PATH \
    NUMBA_CACHE_DIR=/tmp/numba \
    XDG_DATA_HOME=/data \
    WORT_HOST=0.0.0.0 \
    WORT_LOG_FORMAT=json
USER wort
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
    CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ.get(\"WORT_PORT\", 8000)}/health', timeout=2)"]
ENTRYPOINT ["wort"]
CMD ["serve"]
