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

/** What the fake libvirt says of itself (`lab/compute/connection.py`) comes from these systems. */
export const RELEASES = {
  zed: {
    novaVersion: '26.2.2',
    system: {
      osPrettyName: 'Debian GNU/Linux 11 (bullseye)',
      osId: 'debian',
      osVersionId: '11',
      kernel: '5.10.0-28-amd64',
      libvirtVersion: '7.0.0',
      qemuVersion: '5.2.0',
      nvidiaDriverVersion: '550.54.16',
    },
  },
  '2025.1': {
    novaVersion: '31.0.0',
    system: TRIXIE,
  },
  '2026.1': { novaVersion: '33.0.2', system: TRIXIE },
  '2026.2': { novaVersion: '34.0.0', system: TRIXIE },
} satisfies Record<string, { novaVersion: string; system: SystemSpec }>

export type LabRelease = keyof typeof RELEASES

export const isLabRelease = (name: string): name is LabRelease => Object.hasOwn(RELEASES, name)
