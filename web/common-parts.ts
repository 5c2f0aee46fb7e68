/**
 * What most screens of the dashboard are made of, as one file for the browser: `scripts/build.ts` lets all of them import it. Each part
 * would otherwise be a request of its own, since hardly two of them are needed by exactly the same screens.
 */
import './runs/crawl/page-texts.ts'
import './runs/shared/hand-over.ts'
import './runs/shared/missing-run.tsx'
import './runs/shared/run-base.ts'
import './runs/shared/run-status.tsx'
import './runs/shared/save-file.ts'
import './runs/shared/use-stop-run.ts'
import './runs/shared/use-progress.ts'
import './runs/shared/use-run-again.ts'
import './ui/card.tsx'
import './ui/feedback/status-badge.tsx'
import './ui/form/choice.tsx'
import './ui/form/query-texts.ts'
import './ui/hooks/use-copy.ts'
import './ui/hooks/use-query.ts'
import './ui/outside-link.tsx'
import './ui/page-header.tsx'
import './ui/tabs.tsx'
import './ui/text/time.tsx'
