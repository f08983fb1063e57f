import type { NamedProvider } from '../type-change/tasks'

/** What is expected of a card that is handed out whole. */
export type VerifyWholeTask = {
  kind: 'verify-whole'
  host: string
  address: string
  /** Aliases of the host that take it. */
  aliases: readonly string[]
  /** What Placement is to have; null: Nova does not report PCI devices there. */
  provider: (NamedProvider & { resourceClass: string }) | null
}

type VerifySlicedTask = { kind: 'verify-sliced'; host: string; address: string; driver: string }

/** What a card is once its change is through. */
export type CardTask = VerifyWholeTask | VerifySlicedTask

/** Tasks of a change of a card between slices and the whole. */
export type PassthroughTask =
  | {
      kind: 'bind-driver'
      host: string
      pgpuAddress: string
      /** Of the card, or of another function of it in the same IOMMU group. */
      address: string
      /** Null: none is bound. */
      from: string | null
      to: string
    }
  | {
      kind: 'switch-vfs'
      host: string
      address: string
      /** The VFs are on once the step is done; else off. */
      isOn: boolean
    }
  | {
      kind: 'await-alias'
      /** Of Nova's API. */
      host: string
      alias: string
      /** The line that belongs there. */
      line: string
    }
  | CardTask
