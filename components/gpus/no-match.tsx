import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/states'
import { NO_FILTER } from './gpu-params'
import type { SetGpuParams } from './use-gpu-params'

type NoMatchProps = { hasWords: boolean; isAsking: boolean; setParams: SetGpuParams }

/** Shown when the filter excludes every pGPU. */
export const NoMatch = ({ hasWords, isAsking, setParams }: NoMatchProps) => (
  <EmptyState
    title="No pGPU matches the filter"
    action={<Button onClick={() => void setParams(NO_FILTER)}>Clear the filter</Button>}
  >
    {isAsking
      ? 'Searching servers with that name.'
      : hasWords
        ? 'Each word must occur in the host, the PCI address, the model, the type or an aggregate, or in the name of a server.'
        : 'A pGPU must match each list above; in each list one choice is enough.'}
  </EmptyState>
)
