import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import type { CloudPart } from '@/lib/domain/cloud/freshness'
import type { FlavorView } from '@/lib/domain/fit/gpu-flavors'
import type { FindingReference } from '@/lib/domain/host-findings/detector'
import {
  type Evidence,
  type EvidenceSource,
  type Finding,
  type FindingCommand,
  findingKey,
  type Unverified,
} from '../finding'

/** What of a host a detector must be able to trust; every host detector needs a host that is not silent. */
export type HostNeed = 'root' | 'nova.conf' | 'mdevs' | 'guests'

/** A finding, or an explicit "can't tell, because" for a part of the detector's subjects. */
export type Detected = Finding | Unverified

export const isUnverified = (detected: Detected): detected is Unverified => 'because' in detected

/** What docs/findings.md lists about a finding, for every subject. `sources` is empty when no source has to be corrected. */
type CloudReference = FindingReference & {
  sources: readonly EvidenceSource[]
  consequence: string
  nextStep: string
}

type Named = {
  code: string
  /** For a group of its findings. */
  title: string
  reference: CloudReference
  needs: readonly CloudPart[]
}

/** Checks one host. Called only if its needs are met; else the registry reports that it cannot check the host. */
export type JoinedHostDetector = Named & {
  hostNeeds: readonly HostNeed[]
  detect: (joined: JoinedHost, fleet: Fleet) => Detected[]
}

/** Checks one enabled flavor. Called only when its needs are met. */
export type FlavorDetector = Named & { detectFlavor: (view: FlavorView, fleet: Fleet) => Detected[] }

/** Checks the cloud as a whole. Called only if its needs are met. */
export type FleetDetector = Named & { detect: (fleet: Fleet) => Detected[] }

/** A finding with its key; `part` distinguishes several findings of one code on one subject. */
export const makeFinding = ({
  part = null,
  command = null,
  ...rest
}: Omit<Finding, 'key' | 'code' | 'command'> & {
  code: string
  part?: string | null
  command?: FindingCommand | null
}): Finding => ({ key: findingKey(rest.code, rest.subject, part), command, ...rest })

/** What a host's own sources reported, up to its last sign of life. */
export const hostReports = (
  { host }: JoinedHost,
  source: Extract<EvidenceSource, 'hardware' | 'nova.conf' | 'libvirt' | 'agent'>,
  reported: string,
): Evidence => ({ source, reported, at: host.seenAt })

const SERVICE_OF: Readonly<Record<CloudPart, EvidenceSource>> = {
  providers: 'placement',
  allocations: 'placement',
  services: 'nova',
  hypervisors: 'nova',
  servers: 'nova',
  migrations: 'nova',
  flavors: 'nova',
  aggregates: 'nova',
  limits: 'keystone',
  projects: 'keystone',
  networkAgents: 'neutron',
}

/** What a service reported in its last answer about one part of the facts. */
export const cloudReports = (fleet: Fleet, part: CloudPart, reported: string): Evidence => ({
  source: SERVICE_OF[part],
  reported,
  at: fleet.input.facts[part].at,
})
