'use client'

import { Dialog, DialogContent } from '@/components/ui/dialog'
import { SHORTCUT_KEYS, type ShortcutName } from './shortcut-keys'
import { shortcutsToggle } from './shortcuts-store'

const TEXTS: Readonly<Record<ShortcutName, string>> = {
  search: 'Search or run a command',
  shortcuts: 'Show keyboard shortcuts',
  leave: 'Close a dialog, menu or drawer',
  nextRow: 'Next row',
  previousRow: 'Previous row',
  nextRows: 'Next page of rows',
  previousRows: 'Previous page of rows',
  firstRow: 'First row',
  lastRow: 'Last row',
  openRow: 'Open the row',
  selectRow: 'Select the row',
  selectRows: 'Select all rows from the last selected one',
  nextCell: 'Next vGPU of the row',
  previousCell: 'Previous vGPU of the row',
}

const GLOBAL: readonly ShortcutName[] = ['search', 'shortcuts', 'leave']
const OF_LISTS: readonly ShortcutName[] = [
  'nextRow',
  'previousRow',
  'nextRows',
  'previousRows',
  'firstRow',
  'lastRow',
  'openRow',
]
/** All others are of the list of GPUs. */
const OF_GPUS = (Object.keys(TEXTS) as ShortcutName[]).filter(
  (name) => !GLOBAL.includes(name) && !OF_LISTS.includes(name),
)

const KEY_LABELS: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  PageDown: 'Page down',
  PageUp: 'Page up',
  Escape: 'Esc',
}

const isApple = (): boolean => /^(Mac|iP)/.test(navigator.platform)

const keyLabel = (part: string): string => {
  if (part === 'Ctrl') return isApple() ? '⌘' : 'Ctrl'
  return KEY_LABELS[part] ?? (part.length === 1 ? part.toUpperCase() : part)
}

const Keys = ({ text }: { text: string }) => (
  <span className="inline-flex gap-1 whitespace-nowrap">
    {text.split('+').map((part) => (
      <kbd
        key={part}
        className="rounded-tag border border-line bg-bg px-1.5 py-px font-sans text-ink text-small"
      >
        {keyLabel(part)}
      </kbd>
    ))}
  </span>
)

const Group = ({ title, names }: { title: string; names: readonly ShortcutName[] }) => (
  <section>
    <h3 className="mb-1 font-semibold">{title}</h3>
    <dl>
      {names.map((name) => (
        <div key={name} className="flex items-center justify-between gap-3 border-line2 border-t py-1">
          <dt>{TEXTS[name]}</dt>
          <dd className="m-0 inline-flex flex-wrap items-center justify-end gap-1.5 text-ink3 text-small">
            {SHORTCUT_KEYS[name].map((text, index) => (
              <span key={text} className="inline-flex items-center gap-1.5">
                {index === 0 ? null : 'or'}
                <Keys text={text} />
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

/** The keys that the handlers of the console use. */
export const ShortcutsDialog = ({ hasSearch }: { hasSearch: boolean }) => (
  <Dialog open onOpenChange={shortcutsToggle.set}>
    <DialogContent title="Keyboard shortcuts" description={null}>
      <div className="flex flex-col gap-4">
        <Group title="Everywhere" names={hasSearch ? GLOBAL : GLOBAL.filter((name) => name !== 'search')} />
        <Group title="Lists" names={OF_LISTS} />
        {hasSearch ? <Group title="List of GPUs" names={OF_GPUS} /> : null}
      </div>
    </DialogContent>
  </Dialog>
)
