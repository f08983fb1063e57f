import 'server-only'
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import type { ClientCertificate } from '../clouds/cloud-config'

/** Where distributions keep the bundle of their store: Debian, Fedora and RHEL, openSUSE, Alpine. */
const BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

const readIfThere = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Another distribution, or a machine without the package: Node.js brings authorities along.
    return null
  }
}

const firstBundle = (paths: readonly string[]): string | null => {
  for (const path of paths) {
    const text = readIfThere(path)
    if (text !== null) return text
  }
  return null
}

/** Read once for a process, as OpenSSL does. */
const bundleOf = new Map<string, string>()

/**
 * The certificate authorities that the machine trusts, in PEM, in addition to those that Node.js brings along: an operator adds the
 * company's own to the system's store. `file` (SSL_CERT_FILE) takes the place of the system's bundle.
 */
export const readSystemCertificates = ({
  file,
  bundles = BUNDLES,
}: {
  file: string | null
  bundles?: readonly string[]
}): string => {
  const paths = file === null ? bundles : [file, ...bundles]
  const key = paths.join('\n')
  const known = bundleOf.get(key)
  if (known !== undefined) return known
  const bundle = firstBundle(paths)
  const pem = [...rootCertificates, ...(bundle === null ? [] : [bundle])].join('\n')
  bundleOf.set(key, pem)
  return pem
}

const contexts = new Map<string, SecureContext>()

type ContextInput = { caPem: string | null; clientCertificate: ClientCertificate | null }

/** Parsed once for each list of authorities and certificate: it takes milliseconds, and a connection would take them again. */
export const secureContextOf = ({ caPem, clientCertificate }: ContextInput): SecureContext => {
  const key = JSON.stringify([caPem, clientCertificate])
  const known = contexts.get(key)
  if (known !== undefined) return known
  const context = createSecureContext({
    ...(caPem === null ? {} : { ca: caPem }),
    ...(clientCertificate === null ? {} : { cert: clientCertificate.certPem, key: clientCertificate.keyPem }),
  })
  contexts.set(key, context)
  return context
}
