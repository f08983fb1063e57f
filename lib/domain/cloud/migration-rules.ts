import type { Pgpu } from '@/lib/domain/pgpu/types'
import {
  driverBranch,
  NEWEST_RELEASE,
  vgpuRelease,
  vgpuReleaseLabel,
} from '@/lib/domain/vgpu-type/vgpu-release'
import type { Inventory } from '@/lib/schemas/agent/inventory'

/** The facts of a host that NVIDIA's rules compare. Small, because hosts with equal facts share a group. */
export type RuleFacts = {
  /** `9.4`, `10`; null: no RHEL, or a release that no rule names. */
  rhel: string | null
  /** Boards with the type that a rule names, sorted. */
  boards: readonly CardModel[]
  /** Boards with the type that no rule names. */
  hasOtherBoards: boolean
}

/** `H100`, `H200` and `H800`, and the two memory sizes that exclude each other. */
type CardModel = { chip: string | null; variant: '80 GB PCIe' | '94 GB NVL' | null }

type PairRule = {
  /** Whether a pair of boards, or of hosts, is excluded. */
  excludes: (from: RuleFacts, to: RuleFacts) => boolean
  because: string
  source: string
  date: string
}

const LIVE_MIGRATION =
  'docs.nvidia.com/ai-enterprise/release-8/latest/infra-software/vgpu/features/live-migration.html'

const cardModelPairs = (from: RuleFacts, to: RuleFacts): [CardModel, CardModel][] =>
  from.boards.flatMap((one) => to.boards.map((other): [CardModel, CardModel] => [one, other]))

/** A rule of boards holds where each possible pair is excluded: a host may have a board that fits. */
const everyPair =
  (isExcluded: (one: CardModel, other: CardModel) => boolean): PairRule['excludes'] =>
  (from, to) => {
    const pairs = cardModelPairs(from, to)
    const hasOthers = from.hasOtherBoards || to.hasOtherBoards
    return !hasOthers && pairs.length > 0 && pairs.every(([one, other]) => isExcluded(one, other))
  }

/** Pairs of hosts between which NVIDIA does not support live migration of vGPUs. */
const EXCLUDED_PAIRS: readonly PairRule[] = [
  {
    excludes: ({ rhel: one }, { rhel: other }) => one !== null && other !== null && one !== other,
    because: 'NVIDIA does not support live migration between RHEL 9.4 and RHEL 10',
    source: LIVE_MIGRATION,
    date: '2026-11-27',
  },
  {
    excludes: everyPair((one, other) => one.chip !== null && other.chip !== null && one.chip !== other.chip),
    because: 'NVIDIA does not support live migration between H100, H200 and H800 boards',
    source: LIVE_MIGRATION,
    date: '2026-11-27',
  },
  {
    excludes: everyPair(
      (one, other) => one.variant !== null && other.variant !== null && one.variant !== other.variant,
    ),
    because: 'NVIDIA does not support live migration between 80 GB PCIe and 94 GB NVL boards',
    source: LIVE_MIGRATION,
    date: '2026-11-27',
  },
]

/** Distributions on which NVIDIA supports live migration only from a driver branch on. */
const SINCE_BRANCH = [
  {
    os: /ubuntu/i,
    name: 'Ubuntu',
    branch: '550',
    source: 'docs.nvidia.com/vgpu/knowledge-base/latest/overview.html (Ubuntu 24.04)',
    date: '2026-11-27',
  },
] as const

const MIB_PER_GB = 1e9 / 2 ** 20

/** 94 GB boards report 95830 MiB; H200 NVL boards have 141 GB. */
const variantOf = ({
  model,
  framebufferMib,
}: Pick<Pgpu, 'model' | 'framebufferMib'>): CardModel['variant'] => {
  const is = (gigabytes: number): boolean =>
    framebufferMib === null ||
    Math.abs(framebufferMib - gigabytes * MIB_PER_GB) < 0.1 * gigabytes * MIB_PER_GB
  if (/\bNVL\b/i.test(model) && !/\bH200\b/i.test(model) && is(97)) return '94 GB NVL'
  const is80 = /\b80 ?GB\b/i.test(model) || /\bH[18]00\b/i.test(model)
  return /\bPCIe\b/i.test(model) && is80 && is(83) ? '80 GB PCIe' : null
}

const cardModelOf = (pgpu: Pick<Pgpu, 'model' | 'framebufferMib'>): CardModel => ({
  chip: /\bH(?:100|200|800)L?\b/i.exec(pgpu.model)?.[0].toUpperCase().slice(0, 4) ?? null,
  variant: variantOf(pgpu),
})

/** By the kernel, which names the minor release; else by the name of the system. */
const rhelOf = ({ kernel, osName }: Inventory['host']): string | null => {
  const [, major, minor] =
    /\.el(\d+)_(\d+)/.exec(kernel ?? '') ??
    /(?:Red Hat Enterprise Linux|RHEL)\D* (\d+)(?:\.(\d+))?/i.exec(osName ?? '') ??
    /\.el(\d+)\b/.exec(kernel ?? '') ??
    []
  if (major === '10') return '10'
  return major === '9' && minor === '4' ? '9.4' : null
}

export const ruleFacts = (
  host: Inventory['host'],
  cards: readonly Pick<Pgpu, 'model' | 'framebufferMib'>[],
): RuleFacts => {
  const all = cards.map(cardModelOf)
  const named = all.filter(({ chip, variant }) => chip !== null || variant !== null)
  const distinct = new Map(named.map((model) => [`${model.chip} ${model.variant}`, model]))
  const boards = [...distinct.entries()].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, model]) => model)
  return { rhel: rhelOf(host), boards, hasOtherBoards: named.length < all.length }
}

/** Why a pair of hosts is excluded, each with its source and date. */
export const excludedPairReasons = (from: RuleFacts, to: RuleFacts): string[] =>
  EXCLUDED_PAIRS.filter(({ excludes }) => excludes(from, to)).map(
    ({ because, source, date }) => `${because} (${source}, ${date})`,
  )

/** What is advised against at one end, by the driver's branch. */
export const branchCautions = ({ osName, nvidiaDriverVersion }: Inventory['host']): string[] => {
  const branch = driverBranch(nvidiaDriverVersion ?? '')
  if (branch === null) return []
  const old = SINCE_BRANCH.filter(
    (rule) => rule.os.test(osName ?? '') && Number(branch) < Number(rule.branch),
  )
  return [
    ...(vgpuRelease(branch).kind === 'newer'
      ? [
          `has driver ${nvidiaDriverVersion}, which is newer than ${NEWEST_RELEASE}, the newest release with known rules`,
        ]
      : []),
    ...old.map(
      (rule) =>
        `runs ${rule.name} with ${vgpuReleaseLabel(branch)}; NVIDIA supports live migration there from ${vgpuReleaseLabel(rule.branch)} on`,
    ),
  ]
}
