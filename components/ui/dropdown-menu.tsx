'use client'

import { Check } from 'lucide-react'
import * as RadixMenu from 'radix-ui/dropdown-menu'
import type { ComponentProps } from 'react'
import { classNames } from '@/lib/util/class-names'

export const DropdownMenu = RadixMenu.Root
export const DropdownMenuTrigger = RadixMenu.Trigger

const item =
  'relative flex min-h-7 cursor-default select-none items-center gap-2 rounded-[5px] px-2 py-1 outline-none data-[highlighted]:bg-accent2 data-[highlighted]:text-accent-ink data-[disabled]:opacity-55'

export const DropdownMenuContent = ({ className, ...rest }: ComponentProps<typeof RadixMenu.Content>) => (
  <RadixMenu.Portal>
    <RadixMenu.Content
      sideOffset={4}
      collisionPadding={8}
      align="start"
      className={classNames(
        'float-in z-50 max-h-[min(420px,var(--radix-dropdown-menu-content-available-height))] min-w-44 overflow-y-auto rounded-panel border border-line bg-panel p-1 shadow-float',
        className,
      )}
      {...rest}
    />
  </RadixMenu.Portal>
)

export const DropdownMenuItem = ({
  className,
  isDanger = false,
  ...rest
}: ComponentProps<typeof RadixMenu.Item> & { isDanger?: boolean }) => (
  <RadixMenu.Item className={classNames(item, isDanger && 'text-bad', className)} {...rest} />
)

export const DropdownMenuSeparator = () => <RadixMenu.Separator className="mx-1 my-1 h-px bg-line" />

export const DropdownMenuRadioGroup = RadixMenu.RadioGroup

const Mark = () => (
  <span className="flex w-4 justify-center">
    <RadixMenu.ItemIndicator>
      <Check size={14} aria-hidden />
    </RadixMenu.ItemIndicator>
  </span>
)

export const DropdownMenuRadioItem = ({ children, ...rest }: ComponentProps<typeof RadixMenu.RadioItem>) => (
  <RadixMenu.RadioItem className={item} {...rest}>
    <Mark />
    {children}
  </RadixMenu.RadioItem>
)

/** Stays open when ticked, so that several can be chosen. */
export const DropdownMenuCheckboxItem = ({
  children,
  ...rest
}: ComponentProps<typeof RadixMenu.CheckboxItem>) => (
  <RadixMenu.CheckboxItem className={item} onSelect={(event) => event.preventDefault()} {...rest}>
    <Mark />
    {children}
  </RadixMenu.CheckboxItem>
)
