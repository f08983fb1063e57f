import { fact } from './clean-text'
import type { Commands } from './commands'
import type { HostFiles } from './host-files'

export type Versions = { libvirt: string | null; qemu: string | null }

/** They change with an upgrade and a restart. */
const MAX_AGE_MS = 600_000

const DPKG_STATUS = '/var/lib/dpkg/status'
const DPKG_LIMIT_BYTES = 16 * 1024 * 1024
const LIBVIRT_PACKAGES = ['libvirt-daemon-driver-qemu', 'libvirt-daemon', 'libvirt0']
const QEMU_PACKAGES = ['qemu-system-x86', 'qemu-system-arm', 'qemu-system-common']

/** `virsh -r version` prints "Using library: libvirt 9.0.0" and "Running hypervisor: QEMU 7.2.9". */
const fromVirsh = (output: string): Versions => ({
  libvirt: fact(/^Using library:\s*libvirt\s+(\S+)/m.exec(output)?.[1], 64),
  qemu: fact(/^Running hypervisor:\s*QEMU\s+(\S+)/m.exec(output)?.[1], 64),
})

/** The upstream part of a package's version, `9.0.0` of `1:9.0.0+dfsg-4+deb12u2`, when it is installed. */
const packageVersion = (status: string, names: string[]): string | null => {
  for (const name of names) {
    const start = status.startsWith(`Package: ${name}\n`) ? 0 : status.indexOf(`\nPackage: ${name}\n`)
    if (start < 0) continue
    const end = status.indexOf('\n\n', start + 1)
    const paragraph = status.slice(start, end < 0 ? undefined : end)
    if (!/^Status: \S+ ok installed$/m.test(paragraph)) continue
    return fact(/^Version: (?:\d+:)?(\d+(?:\.\d+)*)/m.exec(paragraph)?.[1], 64)
  }
  return null
}

/**
 * libvirt's and QEMU's version by libvirt itself, else by dpkg's database. RPM's database is not text and not worth a
 * parser: hosts with RPM have virsh, inside or outside the container.
 */
export const collectVersions = async (files: HostFiles, commands: Commands): Promise<Versions> => {
  const output = await commands.output('virsh', ['-r', 'version'], { maxAgeMs: MAX_AGE_MS })
  const versions = output === null ? { libvirt: null, qemu: null } : fromVirsh(output)
  if (versions.libvirt !== null && versions.qemu !== null) return versions
  const status = files.text(DPKG_STATUS, { limitBytes: DPKG_LIMIT_BYTES })
  if (status === null) return versions
  return {
    libvirt: versions.libvirt ?? packageVersion(status, LIBVIRT_PACKAGES),
    qemu: versions.qemu ?? packageVersion(status, QEMU_PACKAGES),
  }
}
