import { frameworkLabel } from '@/components/gpu/gpu-labels'
import { KeyValue, KeyValues, orUnknown } from '@/components/ui/key-values'
import type { GpuDetail } from '@/lib/schemas/api/gpu'
import type { GpuSources } from '@/lib/schemas/api/sources'
import { formatMib } from '@/lib/util/format'
import { framebufferReason, numaReason } from './unknown-text'

const CloudFacts = ({
  sources: { aggregates, service, advertised },
}: {
  sources: NonNullable<GpuSources['sources']>
}) => {
  const { status, state, because } = service
  return (
    <>
      <KeyValue label="nova-compute">
        {orUnknown(status === null || state === null ? null : `${state}, ${status}`, because)}
      </KeyValue>
      <KeyValue label="Aggregates">
        {orUnknown(
          aggregates === null ? null : aggregates.join(', ') || 'none',
          'the aggregates have not been read yet',
        )}
      </KeyValue>
      <KeyValue label="Traits">
        {orUnknown(
          advertised.traits === null ? null : advertised.traits.join(', ') || 'none',
          'the traits have not been read yet',
        )}
      </KeyValue>
    </>
  )
}

/** A pGPU in a few lines; its page has all of them. */
export const GpuFacts = ({ gpu, sources }: { gpu: GpuDetail; sources: GpuSources | undefined }) => (
  <KeyValues>
    <KeyValue label="Framework">
      {frameworkLabel(gpu.framework)}
      {gpu.isMigBacked ? ', MIG-backed' : ''}
    </KeyValue>
    <KeyValue label="Framebuffer">
      {orUnknown(gpu.framebufferMib === null ? null : formatMib(gpu.framebufferMib), framebufferReason(gpu))}
    </KeyValue>
    <KeyValue label="Driver">
      {gpu.driver === null ? 'none bound' : gpu.driver}
      {gpu.driverVersion !== null && gpu.driver === 'nvidia' ? ` ${gpu.driverVersion}` : ''}
    </KeyValue>
    <KeyValue label="NUMA node">{orUnknown(gpu.numaNode, numaReason(gpu))}</KeyValue>
    {sources === undefined || sources.sources === null ? null : <CloudFacts sources={sources.sources} />}
  </KeyValues>
)
