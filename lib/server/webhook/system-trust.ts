import 'server-only'
import type { SecureContext } from 'node:tls'
import { readSystemCertificates, secureContextOf } from '@/lib/openstack/transport/system-certificates'
import { readCertificateFile } from '@/lib/server/settings/env'

/** What a receiver's certificate is checked against: Node.js's certificate authorities and the system's. */
export const systemTrust = (): SecureContext =>
  secureContextOf({
    caPem: readSystemCertificates({ file: readCertificateFile() }),
    clientCertificate: null,
  })
