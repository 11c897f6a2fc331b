import anchor from "icon:game-icons/anchor";
import broadsword from "icon:game-icons/broadsword";
import candlebright from "icon:game-icons/candlebright";
import checkedShield from "icon:game-icons/checked-shield";
import cloakDagger from "icon:game-icons/cloak-dagger";
import crossedSabres from "icon:game-icons/crossed-sabres";
import crossedSwords from "icon:game-icons/crossed-swords";
import crown from "icon:game-icons/crown";
import dominoMask from "icon:game-icons/domino-mask";
import drop from "icon:game-icons/drop";
import factory from "icon:game-icons/factory";
import feather from "icon:game-icons/feather";
import fedora from "icon:game-icons/fedora";
import fleurDeLys from "icon:game-icons/fleur-de-lys";
import greekTemple from "icon:game-icons/greek-temple";
import handheldFan from "icon:game-icons/handheld-fan";
import house from "icon:game-icons/house";
import imperialCrown from "icon:game-icons/imperial-crown";
import keyring from "icon:game-icons/keyring";
import laurels from "icon:game-icons/laurels";
import linkedRings from "icon:game-icons/linked-rings";
import newspaper from "icon:game-icons/newspaper";
import nightSleep from "icon:game-icons/night-sleep";
import plainDagger from "icon:game-icons/plain-dagger";
import pocketBow from "icon:game-icons/pocket-bow";
import policeBadge from "icon:game-icons/police-badge";
import prayer from "icon:game-icons/prayer";
import queenCrown from "icon:game-icons/queen-crown";
import quillInk from "icon:game-icons/quill-ink";
import rose from "icon:game-icons/rose";
import saxophone from "icon:game-icons/saxophone";
import scales from "icon:game-icons/scales";
import shakingHands from "icon:game-icons/shaking-hands";
import sharpHalberd from "icon:game-icons/sharp-halberd";
import shield from "icon:game-icons/shield";
import splitArrows from "icon:game-icons/split-arrows";
import tombstone from "icon:game-icons/tombstone";
import unlitBomb from "icon:game-icons/unlit-bomb";
import warPick from "icon:game-icons/war-pick";
import type { Icon } from "$lib/icons";

/** What somebody drew of the emblems, as game-icons.net names it. */
export interface Author {
  name: string;
  emblems: Record<string, Icon>;
}

/** All emblems of game-icons.net that the house shows, by author; a test looks that none is missing. */
export const AUTHORS: Author[] = [
  { name: "Lorc", emblems: { anchor, broadsword, candlebright, "checked-shield": checkedShield, "cloak-dagger": cloakDagger, "crossed-sabres": crossedSabres, "crossed-swords": crossedSwords, crown, "domino-mask": dominoMask, drop, feather, fedora, laurels, "linked-rings": linkedRings, "plain-dagger": plainDagger, "pocket-bow": pocketBow, prayer, "queen-crown": queenCrown, "quill-ink": quillInk, rose, scales, "unlit-bomb": unlitBomb } },
  { name: "Delapouite", emblems: { factory, "fleur-de-lys": fleurDeLys, "greek-temple": greekTemple, "handheld-fan": handheldFan, house, "imperial-crown": imperialCrown, keyring, newspaper, "night-sleep": nightSleep, saxophone, "shaking-hands": shakingHands, "sharp-halberd": sharpHalberd, "split-arrows": splitArrows, "war-pick": warPick } },
  { name: "sbed", emblems: { shield, tombstone } },
  { name: "Andy Meneely", emblems: { "police-badge": policeBadge } },
];
