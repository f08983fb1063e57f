import type { SystemSpec } from '@/simulator/host-tree/host-spec'

const TRIXIE: SystemSpec = {
  osPrettyName: 'Debian GNU/Linux 13 (trixie)',
  osId: 'debian',
  osVersionId: '13',
  kernel: '6.12.0-1-amd64',
  libvirtVersion: '11.3.0',
  qemuVersion: '10.0.2',
  nvidiaDriverVersion: '570.133.10',
}

/** The system of a host by release. `lab/compute/connection.py` reports the same versions of libvirt and QEMU. */
export const SYSTEMS = {
  zed: {
    osPrettyName: 'Debian GNU/Linux 11 (bullseye)',
    osId: 'debian',
    osVersionId: '11',
    kernel: '5.10.0-28-amd64',
    libvirtVersion: '7.0.0',
    qemuVersion: '5.2.0',
    nvidiaDriverVersion: '550.54.16',
  },
  '2025.1': TRIXIE,
  '2026.1': TRIXIE,
  '2026.2': TRIXIE,
} satisfies Record<string, SystemSpec>

export type LabRelease = keyof typeof SYSTEMS

export const isLabRelease = (name: string): name is LabRelease => Object.hasOwn(SYSTEMS, name)

/** Whether a release is `first` or a newer one. Zed is older than the releases with a year. */
export const isFromRelease = (name: string, first: string): boolean => name !== 'zed' && name >= first
