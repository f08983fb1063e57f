/** The first stop of the keyboard on every page. */
export const SkipLink = () => (
  <a
    href="#main"
    className="fixed top-2 left-2 z-[80] -translate-y-16 rounded-control border border-accent bg-panel px-3 py-1.5 font-semibold text-accent-ink focus:translate-y-0 print:hidden"
  >
    Skip to the content
  </a>
)
