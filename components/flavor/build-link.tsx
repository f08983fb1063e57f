import Link from 'next/link'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button, buttonStyle } from '@/components/ui/button'
import { Tooltip } from '@/components/ui/tooltip'
import { newFlavorPath } from '@/lib/util/paths'

/** Leads to the builder; with flavors to a change of those. */
export const BuildLink = ({ cloud, flavors = [] }: { cloud: string | null; flavors?: readonly string[] }) => {
  const refusal = useRefusal('change.plan')
  const word = flavors.length === 0 ? 'Create flavor' : 'Change'
  if (refusal !== null)
    return (
      <Tooltip content={refusal}>
        <Button isUnavailable>{word}</Button>
      </Tooltip>
    )
  return (
    <Link href={newFlavorPath({ cloud, flavors })} prefetch={false} className={buttonStyle()}>
      {word}
    </Link>
  )
}
