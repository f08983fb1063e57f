import { PlanLink } from '@/components/change/plan-link'
import { silentRefusal } from '@/components/shell/old-report'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import { newPassthroughPath, newTraitsPath, newTypePath } from '@/lib/util/paths'
import { isWhole, passthroughRefusal, typeRefusal } from './gpu-refusals'

/** The possible changes of the pGPU; all plans use its agent's current report. */
export const GpuActions = ({ gpu, cloud }: { gpu: GpuDetail; cloud: string | null }) => {
  const gpus = [{ host: gpu.host, address: gpu.address }]
  const because = silentRefusal(gpu)
  return (
    <>
      <PlanLink href={newTraitsPath({ cloud, gpus })} because={because}>
        Tag with traits
      </PlanLink>
      <PlanLink
        href={newPassthroughPath({ cloud, gpus, to: isWhole(gpu) ? 'sliced' : 'whole' })}
        because={passthroughRefusal(gpu) ?? because}
      >
        {isWhole(gpu) ? 'Remove from PCI passthrough' : 'Configure PCI passthrough'}
      </PlanLink>
      <PlanLink href={newTypePath({ cloud, gpus })} variant="main" because={typeRefusal(gpu) ?? because}>
        Change type
      </PlanLink>
    </>
  )
}
