import type { CardTask, HostTask } from '../host-steps/tasks'
import type { Step } from '../step'

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

export type PassthroughStep = Step<PassthroughTask | HostTask>
