# ctxnorm serve in a container, from an archive of "make dist":
#
#   docker build --build-arg ARCHIVE=ctxnorm-VERSION-linux-amd64.tar.gz -t ctxnorm .
#   docker run -e CTXNORM_TOKEN -p 8080:8080 -v "$PWD/model:/model:ro" -v corrections:/memory ctxnorm
#
# Corrections are in the volume /memory; a folder that is mounted there is to be one that user 10001 can write.
# Another command of ctxnorm is given after the name of the image.
# The image of 18 September 2026, for all architectures (docker-library/repo-info, repos/debian/remote).
FROM debian:bookworm-slim@sha256:3783cc01769c7b2b1b83a5c5ad96c815348e28ed7da68e2e3687004faa906251

ARG ARCHIVE
# ADD unpacks it. ctxnorm finds ctxnorm-train beside itself, also through the link, and that its libraries.
ADD build/dist/${ARCHIVE} /opt/
RUN ln -s /opt/ctxnorm-*/ctxnorm /usr/local/bin/ctxnorm \
    && useradd --uid 10001 --create-home ctxnorm \
    && install --directory --owner ctxnorm /memory \
    && ctxnorm --version

USER ctxnorm
WORKDIR /home/ctxnorm
EXPOSE 8080
VOLUME /memory
HEALTHCHECK --interval=30s --timeout=10s --start-period=2m CMD ["ctxnorm", "serve", "--check", "http://127.0.0.1:8080"]
ENTRYPOINT ["ctxnorm"]
CMD ["serve", "--model", "/model", "--memory", "/memory", "--addr", "0.0.0.0:8080"]
