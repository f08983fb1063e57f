import { Plus } from 'lucide-react'
import Link from 'next/link'
import { useRefusal } from '@/components/shell/use-refusal'
import { Button, buttonStyle } from '@/components/ui/button'
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuTrigger,
} from '@/components/ui/dropdown-menu'
import { Tooltip } from '@/components/ui/tooltip'
import { NEW_CHANGE_KINDS } from './new-change-kinds'

const Label = () => (
  <>
    <Plus size={14} aria-hidden /> New change
  </>
)

export const NewChangeMenu = ({ cloud }: { cloud: string | null }) => {
  const refusal = useRefusal('change.plan')
  if (refusal !== null)
    return (
      <Tooltip content={refusal}>
        <Button variant="main" isUnavailable>
          <Label />
        </Button>
      </Tooltip>
    )
  return (
    <DropdownMenu modal={false}>
      <DropdownMenuTrigger className={buttonStyle({ variant: 'main' })}>
        <Label />
      </DropdownMenuTrigger>
      <DropdownMenuContent className="w-72">
        {NEW_CHANGE_KINDS.map(({ label, path }) => (
          <DropdownMenuItem key={label} asChild>
            <Link href={path(cloud)} prefetch={false}>
              {label}
            </Link>
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  )
}
