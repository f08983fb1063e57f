import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { CloudConfig } from './cloud-config'
import type { EntryReader } from './entry'

export type Folders = { homeDirectory: string; workingDirectory: string }
type TlsSettings = Pick<CloudConfig, 'verify' | 'caFile' | 'caPem' | 'clientCertificate'>

const readPem = async (reader: EntryReader, folders: Folders, key: string) => {
  const text = reader.text(key)
  if (text === null) return null
  const file = resolve(folders.workingDirectory, text.replace(/^~(?=\/)/, folders.homeDirectory))
  try {
    return { file, pem: await readFile(file, 'utf8') }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    reader.refuse(key, `${key} names ${file}, which can't be read (${code}).`)
    return null
  }
}

/** `insecure` wins over `verify`; without the check no authority is needed (cloud_region.py: get_requests_verify_args). */
const readVerify = (reader: EntryReader): boolean =>
  reader.boolean('insecure') === true ? false : reader.boolean('verify') !== false

const hasCertificate = (pem: string): boolean => pem.includes('-----BEGIN CERTIFICATE-----')

const checkPair = (reader: EntryReader, pair: { certPem: string; keyPem: string }): void => {
  if (/ENCRYPTED/.test(pair.keyPem)) {
    reader.refuse('key', 'the key of cert has a passphrase, which clouds.yaml has no setting for; remove it.')
    return
  }
  try {
    createSecureContext({ cert: pair.certPem, key: pair.keyPem })
  } catch {
    // OpenSSL's own text is left out: it does not help, and the file holds a secret.
    reader.refuse('cert', 'cert and key do not belong together, or one of them is no PEM file.')
  }
}

/** The client's certificate; without `key` its file holds both, as in requests' `cert`. */
const readClientCertificate = async (reader: EntryReader, folders: Folders) => {
  const cert = await readPem(reader, folders, 'cert')
  if (cert === null) return null
  const hasKey = reader.text('key') !== null
  const key = hasKey ? await readPem(reader, folders, 'key') : cert
  if (key === null) return null
  if (!hasCertificate(cert.pem)) {
    reader.refuse('cert', `cert names ${cert.file}, which holds no PEM certificate.`)
    return null
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(key.pem)) {
    const remedy = hasKey
      ? 'which holds no PEM private key'
      : 'which holds no private key; name its file as key'
    reader.refuse(hasKey ? 'key' : 'cert', `${hasKey ? 'key' : 'cert'} names ${key.file}, ${remedy}.`)
    return null
  }
  const pair = { certPem: cert.pem, keyPem: key.pem }
  checkPair(reader, pair)
  return pair
}

export const readTls = async (reader: EntryReader, folders: Folders): Promise<TlsSettings> => {
  const verify = readVerify(reader)
  const clientCertificate = await readClientCertificate(reader, folders)
  const authorities = verify ? await readPem(reader, folders, 'cacert') : null
  if (authorities === null) return { verify, caFile: null, caPem: null, clientCertificate }
  const { file, pem } = authorities
  if (!hasCertificate(pem)) reader.refuse('cacert', `cacert names ${file}, which holds no PEM certificate.`)
  return { verify, caFile: file, caPem: pem, clientCertificate }
}
