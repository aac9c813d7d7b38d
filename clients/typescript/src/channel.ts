/** The way to a referee: plaintext or TLS, and the token that names the caller (PROTOCOL.md section 1). */

import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isIPv4 } from "node:net";

import { type ChannelOptions, Client, credentials, Metadata } from "@grpc/grpc-js";

import { ClientError } from "./errors.js";

const OPTIONS: ChannelOptions = {
  // A dead peer is noticed within 20 seconds; the referee allows a ping every 10 seconds.
  "grpc.keepalive_time_ms": 10_000,
  "grpc.keepalive_timeout_ms": 10_000,
  "grpc.keepalive_permit_without_calls": 1,
  // Who tries again decides when: a channel shares nothing with the one before it and repeats nothing by itself.
  "grpc.use_local_subchannel_pool": 1,
  "grpc.enable_retries": 0,
  "grpc.service_config_disable_resolution": 1,
  // Also bots and referee of one machine talk directly, whatever proxy its environment names.
  "grpc.enable_http_proxy": 0,
};

// Where systems keep the certificates that they trust: Debian, Red Hat, Alpine and macOS.
const SYSTEM_ROOTS = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/** Tells whom to trust: the certificates of a PEM file, or those that the system trusts without one. */
export interface TLS {
  ca?: string;
}

/** TLS, false for plaintext, or undefined for what is usual: plaintext on this machine, TLS to any other. */
export type Security = TLS | false | undefined;

/**
 * Returns what makes clients of `host:port`; nothing is connected before the first call of one.
 *
 * Throws the error of the system if the certificates cannot be read, an Error if they are none.
 */
export function opener(address: string, tls: Security): () => Client {
  const security: TLS | false = tls ?? (isLoopback(address) ? false : {});
  const channel = security ? credentials.createSsl(roots(security.ca)) : credentials.createInsecure();
  return () => new Client(address, channel, OPTIONS);
}

/** Returns the metadata that names the caller, none without a token. */
export function bearer(token: string | undefined): Metadata {
  const metadata = new Metadata();
  if (token !== undefined) {
    metadata.set("authorization", `Bearer ${token}`);
  }
  return metadata;
}

/** Returns whether a text can be a token: printable ASCII. */
export function isToken(text: string): boolean {
  return /^[\x20-\x7e]+$/.test(text);
}

/** Returns the token in a file, without white space around it. Throws an error if the file holds none. */
export function readToken(path: string): string {
  const token = readFileSync(path, "utf8").trim();
  if (!isToken(token)) {
    throw new ClientError(`${path} holds no token`);
  }
  return token;
}

/** Returns certificates in PEM; null, when the system has no file of them, stands for those that Node brings. */
function roots(path: string | undefined): Buffer | null {
  if (path === undefined) {
    const found = process.env.SSL_CERT_FILE || SYSTEM_ROOTS.find((file) => existsSync(file));
    return found === undefined ? null : readFileSync(found);
  }
  const certificates = readFileSync(path);
  try {
    new X509Certificate(certificates);
  } catch {
    throw new ClientError(`${path} holds no certificate`);
  }
  return certificates;
}

function isLoopback(address: string): boolean {
  const host = address.slice(0, address.lastIndexOf(":")).replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
