// An error as GitHub Actions shows it beside a job: a workflow command, a line of its log.
import { cutTo, visible } from '../safeText.js';

/** Returns the line. GitHub shows about a thousand characters of a text. */
export const annotation = (title: string, text: string): string =>
  `::error title=${escapedProperty(visible(title))}::${escaped(visible(cutTo(text, 1_000)))}\n`;

const escaped = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const escapedProperty = (text: string): string => escaped(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
