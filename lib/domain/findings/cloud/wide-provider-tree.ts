import type { Fleet, JoinedHost } from '@/lib/domain/cloud/fleet-types'
import { gpuAmountsIn } from '@/lib/domain/fit/gpu-classes'
import { type FlavorView, gpuFlavors } from '@/lib/domain/fit/gpu-flavors'
import { cloudReports, type FleetDetector, makeFinding } from './detector'
import { flavorReports, flavorSubject } from './flavor-view'

const CODE = 'wide-provider-tree'
/** Placement's release note of bug 2126751: at least 8 child providers of one class, more than 4 resources for a server. */
const MIN_PROVIDERS = 8
const MIN_REQUESTED = 5

/** The class that most child providers of a host offer, with their number. */
const widest = (
  { pgpus }: JoinedHost,
  classes: ReadonlySet<string> | null,
): { name: string; count: number } => {
  const counts = new Map<string, number>()
  for (const { provider } of pgpus.flatMap(({ providers }) => providers))
    for (const name of Object.keys(provider.inventories ?? {}))
      if (classes === null || classes.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a)
  return { name: best?.[0] ?? '', count: best?.[1] ?? 0 }
}

const requestOf = (
  fleet: Fleet,
  { request }: FlavorView,
): { amount: number; classes: ReadonlySet<string> | null } => {
  const amounts = gpuAmountsIn(fleet, request)
  const devices = request.aliases.reduce((sum, { count }) => sum + count, 0)
  if (devices >= MIN_REQUESTED) return { amount: devices, classes: null }
  return {
    amount: [...amounts.values()].reduce((sum, amount) => sum + amount, 0),
    classes: new Set(amounts.keys()),
  }
}

const widestHost = (fleet: Fleet, classes: ReadonlySet<string> | null) =>
  fleet.hosts
    .map((joined) => ({ host: joined.host.name, ...widest(joined, classes) }))
    .toSorted((a, b) => b.count - a.count)[0]

/** A flavor for which Placement computes very many candidates: requests time out, or Placement runs out of memory. */
export const wideProviderTree: FleetDetector = {
  code: CODE,
  title: 'A flavor requests many devices of wide provider trees',
  reference: {
    severities: ['info'],
    sources: [],
    detection:
      'Flavors and Placement: a flavor requests many devices, and a host has many child providers of their class.',
    consequence:
      'Placement computes a very large number of candidates. Requests can time out, or Placement runs out of memory (bug 2126751).',
    nextStep: 'Check the options for allocation candidates and wide provider trees in placement.conf.',
  },
  needs: ['flavors', 'providers'],
  detect: (fleet) =>
    gpuFlavors(fleet).flatMap((view) => {
      const { amount, classes } = requestOf(fleet, view)
      const host = amount < MIN_REQUESTED ? undefined : widestHost(fleet, classes)
      if (host === undefined || host.count < MIN_PROVIDERS) return []
      return [
        makeFinding({
          code: CODE,
          severity: 'info',
          subject: flavorSubject(view),
          sentence: `${view.flavor.name} requests ${amount} devices, and ${host.host} has ${host.count} providers of ${host.name}`,
          consequence:
            'Placement computes a very large number of candidates. Requests can time out, or Placement runs out of memory (bug 2126751).',
          nextStep:
            "No API exposes Placement's options, so this cannot be verified. Check [placement] max_allocation_candidates and allocation_candidates_generation_strategy, and [workarounds] optimize_for_wide_provider_trees, in placement.conf.",
          command: null,
          sourceToCorrect: null,
          evidence: [
            flavorReports(fleet, view),
            cloudReports(fleet, 'providers', `${host.host}: ${host.count} child providers with ${host.name}`),
          ],
        }),
      ]
    }),
}
