'use client'

import { useMutation } from '@tanstack/react-query'
import { useCloud } from '@/components/shell/use-cloud'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button } from '@/components/ui/button'
import { toast } from '@/components/ui/toast-store'
import { Tooltip } from '@/components/ui/tooltip'
import { unmuteFindingsOptions } from '@/lib/api/finding-mutes'

/** Ends the mute of a kind of finding. */
export const UnmuteButton = ({
  code,
  title,
  size = 'body',
}: {
  code: string
  title: string
  size?: 'small' | 'body'
}) => {
  const { cloud } = useCloud()
  const refusal = useRefusal('finding.acknowledge')
  const unmute = useMutation(unmuteFindingsOptions({ cloud, code }))
  const run = () =>
    unmute.mutate(undefined, {
      onSuccess: () => toast.done(`“${title}” is no longer muted.`),
      onError: (err) => toast.error('The kind is still muted.', err.message),
    })
  return (
    <Tooltip content={refusal}>
      <Button
        size={size}
        aria-label={`Unmute: ${title}`}
        isUnavailable={refusal !== null || unmute.isPending}
        onClick={run}
      >
        Unmute
      </Button>
    </Tooltip>
  )
}
